import { type Page, expect, test } from '@playwright/test';
import { PASSWORD, account, aPerson, answered, logIn, saved, signUp, uniqueName } from './support.js';

/** A locked post shows at most 100 characters of it, up to the end of a word; then comes the secret. */
const SECRET = 'the last set is a single at ninety per cent';
const TEXT = `${'Week four, heavy singles. '.repeat(8)}And ${SECRET}.`;
const PREVIEW = `${'Week four, heavy singles. '.repeat(3)}Week four, heavy…`;

const SUBSCRIPTION = /^\/api\/subscriptions\/[^/]+$/;

async function notice(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('region', { name: 'Notices' }).getByText(text, { exact: true })).toBeVisible();
}

async function fillLogin(page: Page, username: string): Promise<void> {
  await page.getByLabel('Email').fill(`${username}@example.test`);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
}

const figure = (page: Page, name: string) =>
  page.getByText(name, { exact: true }).locator('xpath=..').getByRole('definition').first();

// Rule: SUBS-6, SUBS-23, SUBS-24, SUBS-25, SUBS-26, SUBS-27, UI-8, UI-32
test('a coach asks 400 MXN; a member meets the paywall, subscribes, reads, reviews, cancels and is locked out', async ({
  page,
  browser,
}) => {
  const coachName = uniqueName('coach');
  const memberName = uniqueName('member');

  // Who becomes a coach takes the price that is proposed, and publishes for subscribers.
  await signUp(page, coachName);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByRole('checkbox', { name: 'Become a Fitness Coach' }).check();
  await expect(page.getByRole('textbox', { name: 'Price per month' })).toHaveValue('400');
  await expect(page.getByText('Payments are not enabled here yet')).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await notice(page, 'Your profile has been updated successfully!');
  await page.goto('/feed');
  await page.getByLabel('Your post').fill(TEXT);
  await page.getByText('Subscribers only', { exact: true }).first().click();
  await saved(page, 'POST', /^\/api\/posts$/, () =>
    page.getByRole('button', { name: 'Post', exact: true }).click(),
  );
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByText('No subscribers yet')).toBeVisible();
  await expect(figure(page, 'Monthly Revenue (est.)')).toHaveText('MX$0.00');

  // The member, in a browser of their own.
  const context = await browser.newContext();
  const member = await context.newPage();
  await signUp(member, memberName);
  await member.goto(`/${coachName}`);
  const post = member.getByRole('article');
  await expect(post.getByText(PREVIEW)).toBeVisible();
  await expect(post.getByText('MX$400.00 per month')).toBeVisible();
  await expect(member.getByText('Cancel anytime, No hidden fees')).toBeVisible();
  expect(await member.content()).not.toContain(SECRET);
  await post.getByRole('button', { name: 'Subscribe' }).click();
  await notice(member, `You are now subscribed to ${coachName}!`);
  await expect(post.getByText(SECRET)).toBeVisible();
  await expect(post).toBeFocused();
  await expect(member.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();

  await member.getByRole('tab', { name: 'Reviews' }).click();
  await member.getByRole('button', { name: 'Write a Review' }).click();
  await member.getByLabel('Your Review').fill('Worth every set.');
  await member.getByRole('button', { name: 'Submit Review' }).click();
  const review = member.getByRole('listitem').filter({ hasText: 'Worth every set.' });
  await expect(review.getByText('Verified subscriber')).toBeVisible();

  // The coach's figures follow while the dashboard is open.
  await expect(figure(page, 'Active Subscriptions')).toHaveText('1');
  await expect(figure(page, 'Monthly Revenue (est.)')).toHaveText('MX$400.00');
  const row = page.getByRole('row').filter({ hasText: memberName });
  await expect(row.getByText(`${memberName}@example.test`)).toBeVisible();
  await expect(row.getByText('Active')).toBeVisible();
  await page.goto(`/${coachName}`);
  await expect(page.getByRole('link', { name: '1 subscriber · Dashboard' })).toBeVisible();

  // Escape keeps, Enter cancels.
  await account(member).click();
  await member.getByRole('menuitem', { name: 'Subscriptions' }).click();
  await expect(member.getByText('1 subscription', { exact: true })).toBeVisible();
  const unsubscribe = member.getByRole('button', { name: `Unsubscribe from ${coachName}` });
  const question = member.getByRole('alertdialog', { name: 'Unsubscribe?' });
  await unsubscribe.click();
  await expect(question.getByText(`unsubscribe from ${coachName}?`)).toBeVisible();
  await member.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(unsubscribe).toBeFocused();
  await unsubscribe.click();
  await expect(question).toBeVisible();
  await saved(member, 'DELETE', SUBSCRIPTION, () => member.keyboard.press('Enter'));
  await notice(member, `You have successfully unsubscribed from ${coachName}`);
  await expect(member.getByRole('heading', { name: 'No subscriptions yet' })).toBeVisible();

  await member.goto(`/${coachName}`);
  await expect(post.getByText(PREVIEW)).toBeVisible();
  expect(await member.content()).not.toContain(SECRET);
  await page.goto('/dashboard');
  await expect(row.getByText('Cancelled')).toBeVisible();
  await expect(row.getByText('@example.test')).toHaveCount(0);
  await expect(figure(page, 'Total Subscribers')).toHaveText('1');
  await expect(figure(page, 'Active Subscriptions')).toHaveText('0');
  await expect(figure(page, 'Monthly Revenue (est.)')).toHaveText('MX$0.00');
  await context.close();
});

// Rule: SUBS-25, UI-4
test('a visitor who presses Subscribe is subscribed after the login', async ({ page }) => {
  const coachName = uniqueName('coach');
  const memberName = uniqueName('member');
  await aPerson(page, coachName, true);
  await aPerson(page, memberName);
  await page.goto(`/${coachName}`);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Login Required' });
  await expect(dialog.getByText('Please log in to subscribe')).toBeVisible();
  await dialog.getByRole('link', { name: 'Login' }).click();
  await fillLogin(page, memberName);
  const subscribed = answered(page, 'PUT', SUBSCRIPTION);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  expect((await subscribed).ok()).toBe(true);
  await expect(page).toHaveURL(new RegExp(`/${coachName}$`));
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();
});

// Rule: SUBS-23
test('a subscription that ends in another tab leaves the list of this one', async ({ page, context }) => {
  const coachName = uniqueName('coach');
  const memberName = uniqueName('member');
  await aPerson(page, coachName, true);
  await aPerson(page, memberName);
  await logIn(page, `${memberName}@example.test`);
  await page.goto(`/${coachName}`);
  await saved(page, 'PUT', SUBSCRIPTION, () => page.getByRole('button', { name: 'Subscribe' }).click());
  const list = await context.newPage();
  // Only the other tab can tell it.
  await list.route('**/api/events', (route) => route.abort());
  await list.goto('/subscriptions');
  await expect(list.getByText('1 subscription', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  const question = page.getByRole('alertdialog', { name: 'Unsubscribe?' });
  await saved(page, 'DELETE', SUBSCRIPTION, () =>
    question.getByRole('button', { name: 'Unsubscribe' }).click(),
  );
  await expect(list.getByRole('heading', { name: 'No subscriptions yet' })).toBeVisible();
});

// Rule: SUBS-29, UI-2
test('a member at the dashboard is sent to the profile, a visitor to the login', async ({ page }) => {
  const memberName = uniqueName('member');
  await aPerson(page, memberName);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  // The login leads back to the dashboard, and that to the profile.
  await fillLogin(page, memberName);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await notice(page, 'Access denied. Only coaches can view the dashboard.');
  await expect(account(page)).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toHaveCount(0);
});
