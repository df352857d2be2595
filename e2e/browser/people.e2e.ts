import { type Page, expect, test } from '@playwright/test';
import {
  BLOCK,
  account,
  aPerson,
  answered,
  axeViolations,
  logIn,
  noticesOf,
  publish,
  signUp,
  uniqueName,
  blockOnProfile,
} from './support.js';

const FOLLOW = /^\/api\/users\/[^/]+\/follow$/;
const REPORTS = /^\/api\/reports$/;

const followers = (page: Page) => page.getByRole('button', { name: /Followers, show the list/ });

// Rule: PEOPLE-20, UI-25
test('follows a coach, is listed among the followers, and unfollows', async ({ page }) => {
  const coach = uniqueName('coach');
  const member = uniqueName('fan');
  await aPerson(page, coach, true);
  await signUp(page, member);
  await page.goto(`/${coach}`);
  await expect(followers(page)).toHaveText('0');

  const followed = answered(page, 'PUT', FOLLOW);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Following', exact: true })).toBeVisible();
  await expect(followers(page)).toHaveText('1');
  await followed;
  await page.reload();
  await expect(page.getByRole('button', { name: 'Following', exact: true })).toBeVisible();

  await followers(page).click();
  const list = page.getByRole('dialog', { name: 'Followers' });
  await list.getByRole('link', { name: member }).click();
  await expect(page).toHaveURL(new RegExp(`/${member}$`));
  await expect(page.getByRole('heading', { level: 1, name: member })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toHaveCount(0);

  await page.goto(`/${coach}`);
  const unfollowed = answered(page, 'DELETE', FOLLOW);
  await page.getByRole('button', { name: 'Following', exact: true }).click();
  await expect(followers(page)).toHaveText('0');
  await unfollowed;
  await page.reload();
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
});

// Rule: PEOPLE-33
test('reviews a coach by keyboard, updates the review and deletes it', async ({ page }) => {
  const coach = uniqueName('coach');
  const id = await aPerson(page, coach, true);
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
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('button', { name: 'Write a Review' })).toBeFocused();
  await expect(reviews).toHaveCount(0);
});

// Rule: PEOPLE-39
test('reports and blocks from a post’s menu, and unblocks in the profile’s header', async ({ page }) => {
  const author = uniqueName('loud');
  const text = `Look at this ${author}`;
  await signUp(page, author);
  await publish(page, text);
  await page.context().clearCookies();
  await signUp(page, uniqueName('quiet'));

  const post = page.getByRole('article').filter({ hasText: text });
  await post.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: 'Report post' }).click();
  const report = page.getByRole('dialog', { name: 'Report' });
  await report.getByRole('radio', { name: 'Something else' }).check();
  const reported = answered(page, 'POST', REPORTS);
  await report.getByRole('button', { name: 'Send report' }).click();
  expect((await reported).status()).toBe(202);
  await expect(report).toHaveCount(0);

  await post.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: `Block ${author}` }).click();
  const blocked = answered(page, 'PUT', BLOCK);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await expect(post).toHaveCount(0);
  expect((await blocked).status()).toBe(204);

  await page.goto('/profile');
  await page.getByRole('button', { name: 'Blocked people' }).click();
  await page.getByRole('dialog', { name: 'Blocked people' }).getByRole('link', { name: author }).click();
  await expect(page.getByText(`You have blocked ${author}. Unblock them to see their posts.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Unblock' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unblock' }).click();
  // The pressed button is gone; the button that replaced it has the focus.
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toBeFocused();
  await expect(post).toBeVisible();
});

// Rule: PEOPLE-26
test('unblocks in the list of blocked users, where they reappear when that fails', async ({ page }) => {
  const name = uniqueName('loud');
  const id = await aPerson(page, name);
  await signUp(page, uniqueName('quiet'));
  await blockOnProfile(page, name);

  await page.goto('/profile');
  await page.getByRole('button', { name: 'Blocked people' }).click();
  const list = page.getByRole('dialog', { name: 'Blocked people' });
  const unblock = async () => {
    await list.getByRole('button', { name: `Unblock ${name}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unblock' }).click();
  };
  await expect(list.getByRole('link', { name })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.route(`**/api/users/${id}/block`, (route) => route.abort());
  await unblock();
  await expect(page.getByText('This user could not be unblocked. Please try again.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list.getByRole('link', { name })).toBeVisible();

  await page.unroute(`**/api/users/${id}/block`);
  const unblocked = answered(page, 'DELETE', BLOCK);
  await unblock();
  await expect(list.getByText('You have not blocked anyone.')).toBeVisible();
  await unblocked;
  await page.keyboard.press('Escape');
  await page.goto(`/${name}`);
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
});

// Rule: PEOPLE-39
test('reports a comment, and blocks its author without leaving the post', async ({ page }) => {
  const critic = uniqueName('critic');
  const author = uniqueName('author');
  await signUp(page, author);
  const text = `Opinions welcome ${author}`;
  await publish(page, text);
  const post = page.getByRole('article').filter({ hasText: text });
  const path = (await post.locator('a:has(time)').getAttribute('href'))!;
  await page.context().clearCookies();
  await signUp(page, critic);
  await page.goto(path);
  await post.getByLabel('Write a comment').fill('Not impressed.');
  await post.getByRole('button', { name: 'Comment', exact: true }).last().click();
  const comment = post.getByRole('listitem', { name: `Comment by ${critic}` });
  await comment.getByRole('button', { name: 'Comment menu' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Delete comment']);

  await page.context().clearCookies();
  await logIn(page, `${author}@example.test`);
  await page.goto(path);
  const menu = comment.getByRole('button', { name: 'Comment menu' });
  await menu.click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Delete comment',
    'Report comment',
    `Block ${critic}`,
  ]);
  expect(await axeViolations(page)).toEqual([]);
  let sent: unknown;
  // Only a routed request tells its body.
  await page.route('**/api/reports', async (route) => {
    sent = route.request().postDataJSON();
    await route.continue();
  });
  await page.getByRole('menuitem', { name: 'Report comment' }).click();
  const report = page.getByRole('dialog', { name: 'Report' });
  const reported = answered(page, 'POST', REPORTS);
  await report.getByRole('button', { name: 'Send report' }).click();
  expect((await reported).status()).toBe(202);
  expect(sent).toMatchObject({ subjectType: 'comment', reason: 'spam' });
  await expect(report).toHaveCount(0);
  await expect(menu).toBeFocused();

  await menu.click();
  await page.getByRole('menuitem', { name: `Block ${critic}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await expect(comment).toHaveCount(0);
  await expect(post).toBeVisible();
});

test('a blocked user no longer finds the blocker', async ({ page }) => {
  const blocked = uniqueName('blocked');
  const blocker = uniqueName('blocker');
  await aPerson(page, blocked);
  await signUp(page, blocker);
  await blockOnProfile(page, blocked);
  await page.context().clearCookies();
  await logIn(page, `${blocked}@example.test`);
  await page.goto(`/${blocker}`);
  await expect(page.getByRole('heading', { name: 'User Not Found' })).toBeVisible();
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
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await box.fill(`zoila ${coach}`.toUpperCase());
  const cards = page.getByRole('list', { name: 'Coaches' }).locator(':scope > li');
  await expect(cards).toHaveCount(1);
  await expect(cards.getByText('+2 more')).toBeVisible();
  await expect(page).toHaveURL(/\?q=/);

  await page.getByLabel('Specialty').selectOption('Yoga');
  await expect(cards).toHaveCount(1);
  await page.getByLabel('Specialty').selectOption('Boxing');
  await expect(page.getByText('No coach matches this search.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(box).toHaveValue('');
  await expect(page.getByLabel('Specialty')).toHaveValue('');
  await expect(page).toHaveURL(/\/coaches$/);

  await page.getByLabel('Specialty').selectOption(specialty);
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
