import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, expect, test } from '@playwright/test';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';
import { accessTokenOf, answered, axeViolationsOfThemes, postJson, signUp, uniqueName } from './support.js';

const SECRET = 'the last set is a single at ninety per cent';
const TEXT = `${'Week four, heavy singles. '.repeat(8)}And ${SECRET}.`;
const DECLINED = '4000 0000 0000 0002';
const GOOD = '4242 4242 4242 4242';

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
  const aPage = async () => {
    const context = await browser.newContext({ baseURL: pulso.url, reducedMotion: 'reduce' });
    return context.newPage();
  };

  const coach = await aPage();
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

  const member = await aPage();
  await signUp(member, memberName);
  await postJson(
    member,
    '/api/posts',
    { content: TEXT, visibility: 'subscribers' },
    await accessTokenOf(await aPage(), coachName),
  );
  await member.goto(`/${coachName}`);
  const post = member.getByRole('article');
  const subscribe = post.getByRole('button', { name: 'Subscribe' });
  await subscribe.click();
  await notice(member, `${coachName} cannot be paid yet. Please try again later.`);
  await expect(subscribe).toHaveAttribute('aria-busy', 'false');

  // The coach fills in the provider's form, which leads to the dashboard.
  await coach.getByRole('button', { name: 'Set up payouts' }).click();
  await heading(coach, 'Get paid through Stripe');
  await coach.getByRole('button', { name: 'Finish' }).click();
  await expect(coach).toHaveURL(`${pulso.url}/dashboard`);
  await heading(coach, 'Coach Dashboard');

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
  expect(await axeViolationsOfThemes(coach)).toEqual([]);
  await coach.getByRole('button', { name: 'Open Billing Portal' }).click();
  await heading(coach, 'Express dashboard');
});
