import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type Page, expect, test } from '@playwright/test';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';
import {
  accessTokenOf,
  aPerson,
  answered,
  axeViolationsOfThemes,
  logIn,
  postJson,
  signUp,
  uniqueName,
} from './support.js';

const SECRET = 'the last set is a single at ninety per cent';
const TEXT = `${'Week four, heavy singles. '.repeat(8)}And ${SECRET}.`;
const DECLINED = '4000 0000 0000 0002';
const GOOD = '4242 4242 4242 4242';
/** Pays now, and fails at renewals. */
const FAILING = '4000 0000 0000 0341';
/** Past the next renewal, before the third attempt at it has failed. */
const A_MONTH_MS = (31 * 24 + 2) * 3_600_000;

let pulso: PulsoProcess;
let dataDirectory: string;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-checkout-'));
  // For root, PostgreSQL runs as another account, which must be able to enter.
  chmodSync(dataDirectory, 0o755);
  pulso = await startPulsoProcess({ dataDirectory, env: { PAYMENTS: 'simulator' } });
});
test.afterAll(async () => {
  await pulso?.killTree();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const notice = (page: Page, text: string) =>
  expect(page.getByRole('region', { name: 'Notices' }).getByText(text, { exact: true })).toBeVisible();

const aPage = async (browser: Browser) => {
  const context = await browser.newContext({ baseURL: pulso.url, reducedMotion: 'reduce' });
  return context.newPage();
};

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { name })).toBeVisible();

/** On the provider's page. */
async function pay(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByRole('button', { name: 'Subscribe for MX$400.00' }).click();
}

// Rule: SUBS-2, SUBS-6, SUBS-7, SUBS-14, SUBS-19, SUBS-20, SUBS-23, SUBS-25
test('a coach is set up to be paid; a member leaves the checkout, is declined, pays, and reads', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const coachName = uniqueName('coach');
  const memberName = uniqueName('member');

  const coach = await aPage(browser);
  await signUp(coach, coachName, { coach: true });
  await coach.goto('/profile');
  await expect(coach.getByText('Nobody can subscribe until you set a price.')).toBeVisible();
  await coach.getByRole('button', { name: 'Edit profile' }).click();
  await coach.getByRole('textbox', { name: 'Price per month' }).fill('400');
  const priced = answered(coach, 'POST', /^\/api\/stripe\/prices\/lazy-create$/);
  await coach.getByRole('button', { name: 'Save Changes' }).click();
  await notice(coach, 'Your profile has been updated successfully!');
  await priced;
  await expect(coach.getByText('Nobody can subscribe until you set a price.')).toHaveCount(0);
  await coach.getByRole('button', { name: 'Open Billing Portal' }).click();
  await notice(coach, 'Please set up payouts first.');

  const member = await aPage(browser);
  await signUp(member, memberName);
  await postJson(
    member,
    '/api/posts',
    { content: TEXT, visibility: 'subscribers' },
    await accessTokenOf(await aPage(browser), coachName),
  );
  await member.goto(`/${coachName}`);
  const post = member.getByRole('article');
  const subscribe = post.getByRole('button', { name: 'Subscribe' });
  await subscribe.click();
  await notice(member, `${coachName} cannot be paid yet. Please try again later.`);
  await expect(subscribe).toHaveAttribute('aria-busy', 'false');

  // The coach leaves the provider's form, which leads to the dashboard, and fills it in from there.
  await coach.getByRole('button', { name: 'Set up payouts' }).click();
  await heading(coach, 'Get paid through Stripe');
  await coach.getByRole('link', { name: 'Leave, and finish later' }).click();
  await expect(coach).toHaveURL(`${pulso.url}/dashboard`);
  await expect(coach.getByText('Stripe still needs some details from you')).toBeVisible();
  await coach.getByRole('button', { name: 'Finish setting up payouts' }).click();
  await heading(coach, 'Get paid through Stripe');
  await coach.getByRole('button', { name: 'Finish' }).click();
  await expect(coach).toHaveURL(`${pulso.url}/dashboard`);
  await heading(coach, 'Coach Dashboard');
  await expect(coach.getByText('Payouts are set up.')).toBeVisible();

  // Left, by the page's own link and by Back.
  await subscribe.click();
  await heading(member, `Subscribe to ${coachName}`);
  await member.getByRole('link', { name: 'Back without paying' }).click();
  await notice(member, 'You left the payment page. You have not been charged.');
  await expect(member).toHaveURL(`${pulso.url}/${coachName}`);
  await subscribe.click();
  await heading(member, `Subscribe to ${coachName}`);
  await member.goBack();
  await expect(subscribe).toHaveAttribute('aria-busy', 'false');
  expect(await member.content()).not.toContain(SECRET);

  await subscribe.click();
  await pay(member, DECLINED);
  await expect(member.getByRole('alert')).toHaveText('Your card was declined.');
  await pay(member, GOOD);
  await notice(member, `You are now subscribed to ${coachName}!`);
  await expect(member).toHaveURL(`${pulso.url}/${coachName}`);
  await expect(post.getByText(SECRET)).toBeVisible();
  await expect(member.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();

  // What is paid, and where it is paid.
  await member.goto('/subscriptions');
  await expect(member.getByText('You pay MX$400.00 per month')).toBeVisible();
  await expect(member.getByRole('button', { name: 'Open Billing Portal' })).toBeVisible();
  expect(await axeViolationsOfThemes(member)).toEqual([]);
  await member.getByRole('button', { name: 'Open Billing Portal' }).click();
  await heading(member, 'Billing portal');
  await member.getByRole('link', { name: 'Go back' }).click();
  await heading(member, 'My Subscriptions');

  await coach.goto('/profile');
  await expect(coach.getByRole('button', { name: 'Open Billing Portal' })).toBeVisible();
  await expect(coach.getByText('Payouts are set up.')).toBeVisible();
  await expect(coach.getByRole('button', { name: /payouts/ })).toHaveCount(0);
  expect(await axeViolationsOfThemes(coach)).toEqual([]);
  await coach.getByRole('button', { name: 'Open Billing Portal' }).click();
  await heading(coach, 'Express dashboard');
});

/** The simulator's controls. */
async function control(path: string, body: object): Promise<void> {
  const [address] = /http:\S+\/_control/.exec(pulso.output())!;
  const answer = await fetch(`${address}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
}

/** A coach who can be paid MX$400.00 a month, and has one post for subscribers. Returns an access token. */
async function aPaidCoach(page: Page, name: string): Promise<string> {
  const id = await aPerson(page, name, true);
  const token = await accessTokenOf(page, name);
  await setPrice(page, token, 400);
  const account = await postJson<{ accountId: string }>(
    page,
    '/api/stripe/connect/create-account',
    { uid: id },
    token,
  );
  await control(`accounts/${account.accountId}/onboard`, { ready: true });
  await postJson(page, '/api/posts', { content: TEXT, visibility: 'subscribers' }, token);
  return token;
}

async function setPrice(page: Page, token: string, subscriptionPrice: number): Promise<void> {
  const data = { subscriptionPrice, subscriptionCurrency: 'MXN' };
  const headers = { authorization: `Bearer ${token}` };
  await expect.poll(async () => (await page.request.patch('/api/me', { data, headers })).status()).toBe(200);
}

/** On a coach's page. */
const subscription = (page: Page) => page.getByRole('region', { name: 'Subscription' });

/** From a coach's page, to which it leads back. */
async function subscribeAndPay(page: Page, coachName: string, card: string): Promise<void> {
  // Paying is refused until billing has heard that the coach can be paid.
  await expect(async () => {
    await subscription(page).getByRole('button', { name: 'Subscribe' }).click();
    await expect(page.getByLabel('Card number')).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  await pay(page, card);
  await notice(page, `You are now subscribed to ${coachName}!`);
}

/** The bar at the bottom of every page. */
const due = (page: Page) => page.getByText('A payment for your subscriptions failed.', { exact: false });

// Rule: SUBS-11, SUBS-19, SUBS-23, SUBS-24, SUBS-25, SUBS-26, SUBS-33
test('a paid subscription is cancelled and resumed, keeps its price, falls behind, and is mended', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const coachName = uniqueName('coach');
  const memberName = uniqueName('member');
  const token = await aPaidCoach(await aPage(browser), coachName);

  const member = await aPage(browser);
  await signUp(member, memberName);
  await member.goto(`/${coachName}`);
  const panel = subscription(member);
  const post = member.getByRole('article');
  await subscribeAndPay(member, coachName, FAILING);
  await expect(panel.getByText('You pay MX$400.00 per month')).toBeVisible();

  // Cancelled: what is paid stays open.
  await panel.getByRole('button', { name: 'Unsubscribe' }).click();
  const question = member.getByRole('alertdialog', { name: 'Unsubscribe?' });
  await expect(question.getByText('nothing more is charged')).toBeVisible();
  await question.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(panel.getByText(/^Access until /)).toBeVisible();
  await expect(post.getByText(SECRET)).toBeVisible();
  await member.reload();
  await expect(panel.getByText(/^Access until /)).toBeVisible();
  await expect(post.getByText(SECRET)).toBeVisible();
  await member.goto('/subscriptions');
  await expect(member.getByText(/^Access until /)).toBeVisible();
  await expect(member.getByText('Ending', { exact: true })).toBeVisible();
  await member.getByRole('button', { name: `Resume subscription to ${coachName}` }).click();
  await notice(member, `Your subscription to ${coachName} goes on.`);
  await expect(member.getByText('Active', { exact: true })).toBeVisible();

  // The coach asks more: who has subscribed pays what they paid.
  await setPrice(member, token, 500);
  await member.goto(`/${coachName}`);
  await expect(panel.getByText('Price for new subscribers: MX$500.00 per month')).toBeVisible();
  await expect(panel.getByText('You pay MX$400.00 per month')).toBeVisible();
  const coach = await aPage(browser);
  await logIn(coach, `${coachName}@example.test`);
  await coach.goto('/dashboard');
  await expect(coach.getByText('Paid now: MX$400.00')).toBeVisible();
  await expect(coach.getByText('MX$500.00', { exact: true })).toBeVisible();

  // The renewal fails: the page that is open hears of it.
  await control('clock', { ms: A_MONTH_MS });
  await expect(due(member)).toBeVisible();
  await expect(panel.getByText(/^Your last payment failed\. You keep access until /)).toBeVisible();
  await expect(post.getByText(SECRET)).toBeVisible();
  expect(await axeViolationsOfThemes(member)).toEqual([]);
  await member.goto('/subscriptions');
  await expect(member.getByText('Payment failed', { exact: true })).toBeVisible();
  await expect(due(member)).toBeVisible();
  expect(await axeViolationsOfThemes(member)).toEqual([]);
  const mend = member.getByRole('button', { name: 'Update payment method' });
  await expect(mend).toHaveCount(2);
  await member.setViewportSize({ width: 390, height: 844 });
  await expect(mend).toHaveCount(1);
  await expect(mend).toBeInViewport();
  await member.setViewportSize({ width: 1280, height: 720 });

  // Another card pays what is open.
  await member.getByRole('status').getByRole('button', { name: 'Update payment method' }).click();
  await heading(member, 'Billing portal');
  await member.getByLabel('Card number').fill(GOOD);
  await member.getByRole('button', { name: 'Pay with this card' }).click();
  await expect(member.getByText('Visa ending in 4242')).toBeVisible();
  await member.getByRole('link', { name: 'Go back' }).click();
  await expect(member.getByText('Active', { exact: true })).toBeVisible();
  await expect(due(member)).toHaveCount(0);
  await member.goto(`/${coachName}`);
  await expect(panel.getByText('You are subscribed.')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Update payment method' })).toHaveCount(0);
});

// Rule: SUBS-34, SUBS-35
test('a dispute ends a subscription; member and coach read why', async ({ browser }) => {
  test.setTimeout(240_000);
  const coachName = uniqueName('coach');
  const memberName = uniqueName('member');
  await aPaidCoach(await aPage(browser), coachName);
  const member = await aPage(browser);
  await signUp(member, memberName);
  await member.goto(`/${coachName}`);
  await subscribeAndPay(member, coachName, GOOD);

  const controls = await aPage(browser);
  const [address] = /http:\S+\/_control/.exec(pulso.output())!;
  await controls.goto(address);
  const row = controls.getByRole('row').filter({ hasText: coachName });
  await row.getByRole('button', { name: 'Dispute' }).click();
  await expect(controls.getByRole('row').filter({ hasText: 'needs response' })).toBeVisible();

  // The page that is open hears of the end.
  await expect(subscription(member).getByRole('button')).toHaveText('Subscribe');
  await expect(member.getByText(SECRET)).toHaveCount(0);
  await member.goto('/subscriptions');
  await expect(member.getByText('0 subscriptions')).toBeVisible();
  const ended = member.getByRole('region', { name: 'Ended' });
  await expect(ended.getByText('Your bank told us that you disputed a payment')).toBeVisible();
  expect(await axeViolationsOfThemes(member)).toEqual([]);
  const coach = await aPage(browser);
  await logIn(coach, `${coachName}@example.test`);
  await coach.goto('/dashboard');
  await expect(coach.getByText('Payment disputed')).toBeVisible();
  expect(await axeViolationsOfThemes(coach)).toEqual([]);
});
