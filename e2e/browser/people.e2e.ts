import { type Page, expect, test } from '@playwright/test';
import {
  BLOCK,
  aPerson,
  answered,
  axeViolations,
  blockOnProfile,
  logIn,
  publish,
  saved,
  signUp,
  uniqueName,
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

  await saved(page, 'PUT', FOLLOW, () => page.getByRole('button', { name: 'Follow', exact: true }).click());
  await expect(page.getByRole('button', { name: 'Following', exact: true })).toBeVisible();
  await expect(followers(page)).toHaveText('1');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Following', exact: true })).toBeVisible();

  await followers(page).click();
  const list = page.getByRole('dialog', { name: 'Followers' });
  await list.getByRole('link', { name: member }).click();
  await expect(page).toHaveURL(new RegExp(`/${member}$`));
  await expect(page.getByRole('heading', { level: 1, name: member })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toHaveCount(0);

  await page.goto(`/${coach}`);
  await saved(page, 'DELETE', FOLLOW, () =>
    page.getByRole('button', { name: 'Following', exact: true }).click(),
  );
  await expect(followers(page)).toHaveText('0');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
});

// Rule: NOTIF-10
test('shows a follow that was made on another device, and to whom it concerns', async ({ page, browser }) => {
  const coach = uniqueName('coach');
  const member = uniqueName('fan');
  await aPerson(page, member);
  await signUp(page, coach, { coach: true });
  const devices = await Promise.all([browser.newContext(), browser.newContext()]);
  const pages = await Promise.all(devices.map((device) => device.newPage()));
  for (const theirs of pages) await logIn(theirs, `${member}@example.test`);
  for (const [shown, path] of [[page, member] as const, ...pages.map((theirs) => [theirs, coach] as const)]) {
    // Left first: the stream that is waited for is that of the next page.
    await shown.goto('about:blank');
    const connected = shown.waitForResponse((answer) => answer.url().endsWith('/api/events') && answer.ok());
    await shown.goto(`/${path}`);
    await connected;
  }
  const [here, elsewhere] = pages as [Page, Page];
  await elsewhere.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect(here.getByRole('button', { name: 'Following', exact: true })).toBeVisible();
  await expect(followers(here)).toHaveText('1');
  const followsYou = page.getByText('Follows you');
  await expect(followsYou).toBeVisible();
  // In one line with the rest, also beside the buttons.
  const facts = [page.getByRole('main').getByText(`@${member}`, { exact: true }).first(), followsYou];
  const [handle, badge] = await Promise.all(facts.map((fact) => fact.boundingBox()));
  expect(badge!.y).toBeLessThan(handle!.y + handle!.height / 2);
  await elsewhere.getByRole('button', { name: 'Following', exact: true }).click();
  await expect(here.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
  await expect(page.getByText('Follows you')).toHaveCount(0);
  await Promise.all(devices.map((device) => device.close()));
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

  await page.goto('/settings');
  await page.getByRole('button', { name: 'Show the list' }).click();
  await page.getByRole('dialog', { name: 'Blocked people' }).getByRole('link', { name: author }).click();
  await expect(page.getByText(`You have blocked ${author}. Unblock them to see their posts.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Unblock' }).click();
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

  await page.goto('/settings');
  await page.getByRole('button', { name: 'Show the list' }).click();
  const list = page.getByRole('dialog', { name: 'Blocked people' });
  const unblock = () => list.getByRole('button', { name: `Unblock ${name}` }).click();
  await expect(list.getByRole('link', { name })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.route(`**/api/users/${id}/block`, (route) => route.abort());
  await unblock();
  await expect(list.getByText('This user could not be unblocked. Please try again.')).toBeVisible();
  await list.getByRole('button', { name: 'Dismiss' }).click();
  await expect(list.getByRole('link', { name })).toBeVisible();

  await page.unroute(`**/api/users/${id}/block`);
  await saved(page, 'DELETE', BLOCK, unblock);
  await expect(list.getByText('You have not blocked anyone.')).toBeVisible();
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
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(report.getByText('Please choose what is wrong')).toBeVisible();
  expect(sent).toBeUndefined();
  expect(await axeViolations(page)).toEqual([]);
  await report.getByLabel('Spam').check();
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

// Rule: UI-41, PEOPLE-39
test('a report that was begun is there again after Escape, and not after Cancel', async ({ page }) => {
  const name = uniqueName('reported');
  await aPerson(page, name);
  await signUp(page, uniqueName('reporter'));
  await page.goto(`/${name}`);
  const report = page.getByRole('dialog', { name: 'Report' });
  const open = async () => {
    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: `Report ${name}` }).click();
  };
  const note = report.getByLabel('Anything we should know? (optional)');
  await open();
  await report.getByLabel('Spam').check();
  await note.fill('The same text ten times.');
  await page.keyboard.press('Escape');
  await expect(report).toHaveCount(0);
  await open();
  await expect(report.getByLabel('Spam')).toBeChecked();
  await expect(note).toHaveValue('The same text ten times.');
  await report.getByRole('button', { name: 'Cancel' }).click();
  await open();
  await expect(note).toHaveValue('');
});
