import { expect, test } from '@playwright/test';
import {
  account,
  aPerson,
  holdNotices,
  logIn,
  noticesOf,
  publish,
  saved,
  signUp,
  uniqueName,
} from './support.js';

// Rule: PEOPLE-33
test('reviews a coach by keyboard, updates the review and deletes it', async ({ page }) => {
  const coach = uniqueName('coach');
  const id = await aPerson(page, coach, true);
  await holdNotices(page);
  await signUp(page, uniqueName('trainee'));
  await page.goto(`/coaches/${id}`);
  await expect(account(page)).toBeVisible();
  // The page may load once more for the member, and then loses the focus.
  await expect(async () => {
    await page.getByRole('tab', { name: 'Posts' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Reviews' })).toBeFocused({ timeout: 2_000 });
  }).toPass();

  await page.getByRole('button', { name: 'Write a Review' }).click();
  await expect(page.getByRole('radio', { name: '5 stars' })).toBeFocused();
  await page.getByRole('button', { name: 'Submit Review' }).click();
  await expect(page.getByText('Please write a comment for your review')).toBeVisible();
  await page.getByRole('radio', { name: '5 stars' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('radio', { name: '4 stars' })).toBeChecked();
  await page.getByLabel('Your review').fill('Patient, clear, and it works.');
  await page.getByRole('button', { name: 'Submit Review' }).click();
  const reviews = page.getByRole('list', { name: 'Reviews' }).getByRole('listitem');
  await expect(reviews).toHaveCount(1);
  await expect(page.getByRole('tabpanel').getByText('4.0', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Update Your Review' }).click();
  await page.getByRole('radio', { name: '2 stars' }).check({ force: true });
  await page.getByRole('button', { name: 'Update Review' }).click();
  await expect(page.getByRole('tabpanel').getByText('2.0', { exact: true })).toBeVisible();
  await expect(reviews).toHaveCount(1);

  await page.getByRole('button', { name: 'Delete Review' }).click();
  await expect(page.getByText('Your review has been deleted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Write a Review' })).toBeFocused();
  await expect(reviews).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(reviews).toBeFocused();
  await expect(page.getByRole('tabpanel').getByText('2.0', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete Review' }).click();
  await saved(page, 'DELETE', /\/reviews\/mine$/, () =>
    page.getByRole('button', { name: 'Dismiss' }).last().click(),
  );
  // The tab is in the address.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Write a Review' })).toBeVisible();
});

// Rule: UI-31
test('finds a coach by name and by specialty, without case or accents', async ({ page }) => {
  const coach = uniqueName('zoila');
  const specialty = `Fell walking ${coach}`.slice(0, 40);
  await aPerson(page, coach, true, {
    name: `Zóila ${coach}`,
    specialties: ['Yoga', 'Pilates', 'Running', 'Dance', specialty],
  });
  await page.goto('/coaches');
  const box = page.getByLabel('Search coaches');
  await expect(box).toBeVisible();
  // Keys are heard once the page has come to life.
  await expect(page.locator('[data-toasts]')).toBeAttached();
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await box.fill(`zoila ${coach}`.toUpperCase());
  const cards = page.getByRole('list', { name: 'Coaches' }).locator(':scope > li');
  await expect(cards).toHaveCount(1);
  await expect(cards.getByText('+2 more')).toBeVisible();
  await expect(page).toHaveURL(/\?q=/);

  const only = (name: string) => page.getByRole('radio', { name, exact: true }).check();
  await only('Yoga');
  await expect(cards).toHaveCount(1);
  await only('Boxing');
  await expect(page.getByText('No coach matches this search.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(box).toHaveValue('');
  await expect(box).toBeFocused();
  await expect(page.getByRole('radio', { name: 'All specialties', exact: true })).toBeChecked();
  await expect(page).toHaveURL(/\/coaches$/);

  await only(specialty);
  await expect(cards).toHaveCount(1);
  await cards.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/${coach}$`));
});

// Rule: UI-26, UI-34
test('visitors are asked to log in; unknown coaches show a message', async ({ page }) => {
  const coach = uniqueName('coach');
  const id = await aPerson(page, coach, true);
  const memberId = await aPerson(page, uniqueName('member'));
  const notices = await noticesOf(page);
  await page.goto(`/coaches/${id}`);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect
    .poll(notices)
    .toContainEqual(expect.stringMatching(/Login Required.*Please log in to follow other users/));
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Reviews' }).click();
  await page.getByRole('button', { name: 'Write a Review' }).click();
  await expect
    .poll(notices)
    .toContainEqual(expect.stringMatching(/Login Required.*Please log in to write a review/));
  for (const unknown of [memberId, '01890000-0000-7000-8000-000000000000']) {
    await page.goto(`/coaches/${unknown}`);
    await expect(page.getByRole('heading', { name: 'Coach Not Found' })).toBeVisible();
  }
});

test('the counts of a coach stay together in the directory on phones', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/coaches');
  const card = page
    .getByRole('list', { name: 'Coaches' })
    .getByRole('listitem')
    .filter({ hasText: /review/ });
  const [followers, posts] = await Promise.all(
    [/ followers?$/, / posts?$/].map((text) => card.first().getByText(text).last().boundingBox()),
  );
  expect(posts!.y).toBe(followers!.y);
});

// Rule: UI-26
test('only the coach sees the post form on the coach’s page', async ({ page }) => {
  const coach = uniqueName('coach');
  const id = await aPerson(page, coach, true);
  await page.goto(`/coaches/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: coach })).toBeVisible();
  await expect(page.getByLabel('Your post')).toHaveCount(0);
  await logIn(page, `${coach}@example.test`);
  await page.goto(`/coaches/${id}`);
  await publish(page, `From my own page ${coach}`);
  await page.getByRole('tab', { name: 'Reviews' }).click();
  await expect(page.getByText('No reviews yet')).not.toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Write a Review' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toHaveCount(0);
});

// Rule: UI-25, UI-50, UI-52, HTTP-27
test('a coach’s page keeps its tab, has one canonical address, and does not suggest its coach', async ({
  page,
}) => {
  const coach = uniqueName('coach');
  const id = await aPerson(page, coach, true);
  const reader = uniqueName('reader');
  await aPerson(page, reader);
  await logIn(page, `${reader}@example.test`);
  const canonical = page.locator('link[rel=canonical]');
  for (const address of [`/coaches/${id}`, `/profile/${id}`, `/${coach}`]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: coach })).toBeVisible();
    await expect(canonical).toHaveCount(1);
    await expect(canonical).toHaveAttribute('href', new RegExp(`/${coach}$`));
  }
  await page.getByRole('tab', { name: 'Reviews' }).click();
  await expect(page).toHaveURL(/\?tab=reviews$/);
  await page.getByRole('banner').getByRole('link', { name: 'Feed', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Social Feed' })).toBeAttached();
  await expect(canonical).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Reviews' })).toHaveAttribute('aria-selected', 'true');

  const suggested = page.getByRole('region', { name: 'Coaches to follow' }).getByRole('listitem');
  await page.goto('/feed');
  const link = suggested.first().getByRole('link');
  const name = await link.textContent();
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(suggested.first()).toBeVisible();
  await expect(suggested.filter({ hasText: name! })).toHaveCount(0);
});
