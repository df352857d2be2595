import { type Page, expect, test } from '@playwright/test';
import { aPerson, axeViolations, holdNotices, logIn, publish, saved, signUp, uniqueName } from './support.js';

const followers = (page: Page) => page.getByRole('button', { name: /Followers, show the list/ });

// Rule: PEOPLE-20, UI-25
test('follows a coach, is listed among the followers, and unfollows', async ({ page }) => {
  const coach = uniqueName('coach');
  const member = uniqueName('fan');
  await aPerson(page, coach, true);
  await signUp(page, member);
  await page.goto(`/${coach}`);
  await expect(followers(page)).toHaveText('0');

  await saved(page, 'PUT', /\/follow$/, () =>
    page.getByRole('button', { name: 'Follow', exact: true }).click(),
  );
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
  await saved(page, 'DELETE', /\/follow$/, () =>
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
  await expect(page.getByText('Follows you')).toBeVisible();
  await elsewhere.getByRole('button', { name: 'Following', exact: true }).click();
  await expect(here.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
  await expect(page.getByText('Follows you')).toHaveCount(0);
  await Promise.all(devices.map((device) => device.close()));
});

// Rule: PEOPLE-33
test('reviews a coach by keyboard, updates the review and deletes it', async ({ page }) => {
  const coach = uniqueName('coach');
  const id = await aPerson(page, coach, true);
  await holdNotices(page);
  await signUp(page, uniqueName('trainee'));
  await page.goto(`/coaches/${id}`);
  await page.getByRole('tab', { name: 'Posts' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Reviews' })).toBeFocused();

  await page.getByRole('button', { name: 'Write a Review' }).click();
  await expect(page.getByRole('radio', { name: '5 stars' })).toBeFocused();
  await page.getByRole('button', { name: 'Submit Review' }).click();
  await expect(page.getByText('Please write a comment for your review')).toBeVisible();
  await page.getByRole('radio', { name: '5 stars' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('radio', { name: '4 stars' })).toBeChecked();
  await page.getByLabel('Your review').fill('Patient, clear, and it works.');
  await page.getByRole('button', { name: 'Submit Review' }).click();
  await expect(page.getByText('Thank you for your review! It has been added successfully.')).toBeVisible();
  const reviews = page.getByRole('list', { name: 'Reviews' }).getByRole('listitem');
  await expect(reviews).toHaveCount(1);
  await expect(page.getByRole('tabpanel').getByText('4.0', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Update Your Review' }).click();
  await page.getByRole('radio', { name: '2 stars' }).check({ force: true });
  await page.getByRole('button', { name: 'Update Review' }).click();
  await expect(page.getByText('Your review has been updated successfully!')).toBeVisible();
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
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Thank you. Our moderators will take a look.')).toBeVisible();

  await post.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: `Block ${author}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await expect(page.getByText(`You have blocked ${author}.`)).toBeVisible();
  await expect(post).toHaveCount(0);

  await page.goto('/profile');
  await page.getByRole('button', { name: 'Blocked people' }).click();
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
  await page.goto(`/${name}`);
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: `Block ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible();

  await page.goto('/profile');
  await page.getByRole('button', { name: 'Blocked people' }).click();
  const list = page.getByRole('dialog', { name: 'Blocked people' });
  const unblock = () => list.getByRole('button', { name: `Unblock ${name}` }).click();
  await expect(list.getByRole('link', { name })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.route(`**/api/users/${id}/block`, (route) => route.abort());
  await unblock();
  await expect(page.getByText('This user could not be unblocked. Please try again.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list.getByRole('link', { name })).toBeVisible();

  await page.unroute(`**/api/users/${id}/block`);
  await saved(page, 'DELETE', /\/block$/, unblock);
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
  let reported: unknown;
  await page.route('**/api/reports', async (route) => {
    reported = route.request().postDataJSON();
    await route.continue();
  });
  await page.getByRole('menuitem', { name: 'Report comment' }).click();
  const report = page.getByRole('dialog', { name: 'Report' });
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(report.getByText('Please choose what is wrong')).toBeVisible();
  expect(reported).toBeUndefined();
  expect(await axeViolations(page)).toEqual([]);
  await report.getByLabel('Spam').check();
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Thank you. Our moderators will take a look.')).toBeVisible();
  expect(reported).toMatchObject({ subjectType: 'comment', reason: 'spam' });
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
  await page.goto(`/${blocked}`);
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: `Block ${blocked}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible();
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

  const only = (name: string) => page.getByRole('radio', { name, exact: true }).check();
  await only('Yoga');
  await expect(cards).toHaveCount(1);
  await only('Boxing');
  await expect(page.getByText('No coach matches this search.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(box).toHaveValue('');
  await expect(box).toBeFocused();

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
  await page.goto(`/coaches/${id}`);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect(page.getByRole('alertdialog', { name: 'Login Required' })).toContainText(
    'Please log in to follow other users',
  );
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Reviews' }).click();
  await page.getByRole('button', { name: 'Write a Review' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Login Required' })).toBeVisible();
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
