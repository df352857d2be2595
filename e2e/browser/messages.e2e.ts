import { type Page, expect, test } from '@playwright/test';
import {
  PASSWORD,
  aPerson,
  accessTokenOf,
  axeViolations,
  getJson,
  logIn,
  postJson,
  saved,
  signUp,
  streamCutter,
  uniqueName,
} from './support.js';

const write = async (page: Page, name: string, text: string) => {
  await page.getByPlaceholder(`Message ${name}...`).fill(text);
  await page.keyboard.press('Enter');
};
const log = (page: Page) => page.getByRole('log');
const PHONE = { width: 390, height: 844 };
/** Of the tab: without a number. */
const NOTHING_UNREAD = /^[^(]/;

// Rule: MSG-6, MSG-8, MSG-12, MSG-13, MSG-16, NOTIF-7, NOTIF-8, NOTIF-9
test('writes to a coach, who reads it on a phone and answers; the same without the stream', async ({
  page,
  browser,
}) => {
  const cutHere = await streamCutter(page);
  const coach = uniqueName('coach');
  const member = uniqueName('member');
  const coachId = await aPerson(page, coach, true);
  await signUp(page, member);
  await page.goto(`/${coach}`);
  await page.getByRole('button', { name: 'Message', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/messages\\?with=${coachId}$`));
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible();
  // Otherwise what is typed now would be shortcuts, and then a public post.
  await expect(page.getByPlaceholder(`Message ${coach}...`)).toBeFocused();
  await write(page, coach, 'Is the class still on?');
  await write(page, coach, 'And where?');
  await expect(log(page).getByText('And where?')).toBeVisible();
  await expect(page.getByText('Sending...')).toHaveCount(0);

  const other = await browser.newContext({ viewport: PHONE });
  const theirs = await other.newPage();
  const cutThere = await streamCutter(theirs);
  await logIn(theirs, `${coach}@example.test`, PASSWORD);
  const entry = theirs
    .getByRole('navigation', { name: 'Quick access' })
    .getByRole('link', { name: /Messages/ });
  await expect(entry).toHaveText(/2/);
  await expect(theirs).toHaveTitle(/^\(2\) /);
  await entry.click();
  const item = theirs.getByRole('link', { name: new RegExp(`^${member}`) });
  await expect(item).toHaveAccessibleName(/And where\?.*2 unread$/);
  await item.click();
  await expect(log(theirs).getByText('Is the class still on?')).toBeVisible();
  await expect(theirs).toHaveTitle(NOTHING_UNREAD);
  await write(theirs, member, 'Yes, at 18:00.');
  await expect(log(page).getByText('Yes, at 18:00.')).toBeVisible();

  await cutHere();
  await cutThere();
  await write(page, coach, 'Bring water.');
  await expect(log(theirs).getByText('Bring water.')).toBeVisible();
  await write(theirs, member, 'I will.');
  await expect(log(page).getByText('I will.')).toBeVisible();
  for (const one of [page, theirs]) await expect(one).toHaveTitle(NOTHING_UNREAD);

  await theirs.getByRole('button', { name: 'Back to conversations' }).click();
  await expect(item).toHaveAccessibleName(/I will\.$/);
  await write(page, coach, 'And a towel.');
  await expect(item).toHaveAccessibleName(/And a towel\..*1 unread$/);
  await expect(entry).toHaveText(/1/);
  await expect(theirs).toHaveTitle(/^\(1\) /);
  await page.goto(`/${coach}`);
  await saved(page, 'PUT', /\/follow$/, () =>
    page.getByRole('button', { name: 'Follow', exact: true }).click(),
  );
  const bell = theirs.getByRole('button', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread');
  await expect(theirs).toHaveTitle(/^\(2\) /);
  await bell.click();
  const news = theirs.getByRole('dialog', { name: 'Notifications' });
  await expect(news.getByRole('link', { name: new RegExp(`${member} started following you`) })).toBeVisible();
  await expect(bell).toHaveAccessibleName('Notifications');
  await expect(theirs).toHaveTitle(/^\(1\) /);
  await other.close();
});

// Rule: MSG-15
test('does not ask for the messages of a conversation that does not exist yet', async ({ page }) => {
  const coach = uniqueName('coach');
  const coachId = await aPerson(page, coach, true);
  await signUp(page, uniqueName('member'));
  const missing: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 404) missing.push(answer.url());
  });
  await page.goto(`/messages?with=${coachId}`);
  await saved(page, 'POST', /^\/api\/messages$/, () => write(page, coach, 'Hello'));
  await expect(page.getByText('Sending...')).toHaveCount(0);
  await expect(log(page).getByText('Hello')).toBeVisible();
  expect(missing).toEqual([]);
});

// Rule: MSG-8, UI-61
test('keeps a message that failed over a reload, and sends it once; without the network it waits', async ({
  page,
}) => {
  const coach = uniqueName('coach');
  const coachId = await aPerson(page, coach, true);
  await signUp(page, uniqueName('member'));
  await page.goto(`/messages?with=${coachId}`);
  await page.route('**/api/messages', (route) => route.abort());
  await write(page, coach, 'Can you hear me?');
  await expect(page.getByText('Not sent.')).toBeVisible();
  await page.unroute('**/api/messages');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Retry sending this message' }).click();
  await expect(page.getByText('Not sent.')).toHaveCount(0);
  await expect(log(page).getByText('Can you hear me?')).toHaveCount(1);
  await page.reload();
  await expect(log(page).getByText('Can you hear me?')).toHaveCount(1);

  await page.context().setOffline(true);
  await write(page, coach, 'And now?');
  await expect(page.getByText('Not sent yet. It goes when you are back online.')).toBeVisible();
  await page.context().setOffline(false);
  await expect(log(page).getByText('And now?')).toHaveCount(1);
});

// Rule: MSG-6, NOTIF-8, NOTIF-9
test('what was seen without a network is marked as read once that is back', async ({ page, browser }) => {
  const coach = uniqueName('coach');
  const member = uniqueName('member');
  const coachId = await aPerson(page, coach, true);
  await signUp(page, member);
  await page.goto(`/messages?with=${coachId}`);
  await write(page, coach, 'Are you there?');

  const other = await browser.newContext();
  const theirs = await other.newPage();
  await logIn(theirs, `${coach}@example.test`, PASSWORD);
  await theirs.goto('/messages');
  await theirs.getByRole('link', { name: new RegExp(`^${member}`) }).click();
  await expect(log(theirs).getByText('Are you there?')).toBeVisible();
  await expect(theirs).toHaveTitle(NOTHING_UNREAD);

  const marking = /\/api\/conversations\/[^/]+\/read$/;
  await theirs.route(marking, (route) => route.abort('internetdisconnected'));
  const lost = theirs.waitForEvent('requestfailed', (request) => marking.test(request.url()));
  await write(page, coach, 'Hello?');
  await expect(log(theirs).getByText('Hello?')).toBeVisible();
  await lost;
  await expect(theirs).toHaveTitle(/^\(1\) /);
  await other.setOffline(true);
  await theirs.unroute(marking);
  await other.setOffline(false);
  await expect(theirs).toHaveTitle(NOTHING_UNREAD);
  await theirs.reload();
  await expect(log(theirs).getByText('Hello?')).toBeVisible();
  await expect(theirs).toHaveTitle(NOTHING_UNREAD);
  await other.close();
});

// Rule: UI-46, UI-56
for (const width of [1280, 390]) {
  test(`a notice is not over the field of a conversation, ${width} px wide`, async ({ page }) => {
    const coach = uniqueName('coach');
    const coachId = await aPerson(page, coach, true);
    await signUp(page, uniqueName('member'));
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/messages?with=${coachId}`);
    const field = page.getByPlaceholder(`Message ${coach}...`);
    await field.fill('Hello');
    await page.route('**/api/messages', (route) => route.abort());
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByRole('button', { name: 'Discard this message' }).click();
    await expect(page.getByText('The message has been discarded.')).toBeVisible();
    await field.click();
    await field.fill('Hello again');
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.getByText('Not sent.')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Not sent.')).toHaveCount(2);
    page.on('dialog', (dialog) => void dialog.accept());
  });
}

// Rule: MSG-14
test('the empty field has one line, also with a long name in its placeholder', async ({ page }) => {
  const coachId = await aPerson(page, uniqueName('coach'), true, { name: 'Bartholomew '.repeat(6) });
  await signUp(page, uniqueName('member'));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/messages?with=${coachId}`);
  const field = page.getByRole('textbox', { name: /^Message Bartholomew/ });
  const height = async () => (await field.boundingBox())?.height;
  const empty = await height();
  await field.fill('Hello');
  expect(await height()).toBe(empty);
});

/** The first message of the log that is seen as a whole, and its place in px. */
const FIRST_SEEN = new Function(
  'scroller',
  `const { top } = scroller.getBoundingClientRect();
  const places = [...scroller.querySelectorAll('[data-message]')].map((message) => ({
    id: message.dataset.message,
    y: message.getBoundingClientRect().top - top,
  }));
  return places.find(({ y }) => y >= 0);`,
) as (scroller: object) => { id: string; y: number } | undefined;
const SCROLL_TO = new Function('scroller', 'place', 'scroller.scrollTop = place') as (
  scroller: object,
  place: number,
) => void;

// Rule: MSG-7, MSG-12, UI-60
test('on a phone has one pane, a way back, and what is read keeps its place', async ({ page }) => {
  const coach = uniqueName('coach');
  const member = uniqueName('member');
  const coachId = await aPerson(page, coach, true);
  const memberId = await aPerson(page, member);
  const accessToken = await accessTokenOf(page, member);
  const coachsToken = await accessTokenOf(page, coach);
  const arrives = (content: string) =>
    postJson(page, '/api/messages', { receiverId: memberId, content }, coachsToken);
  for (let n = 1; n <= 120; n += 1) {
    await postJson(
      page,
      '/api/messages',
      { receiverId: coachId, content: `Message number ${n}` },
      accessToken,
    );
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await logIn(page, `${member}@example.test`);
  await page.getByRole('link', { name: 'Messages' }).last().click();
  await page.getByRole('link', { name: new RegExp(coach) }).click();
  // In the log: the list, which is left, shows the last message too.
  await expect(log(page).getByText('Message number 120')).toBeVisible();

  // At the end, what arrives stays in view.
  const scroller = page.getByRole('region', { name: `Messages with ${coach}` });
  await arrives('Shown at once');
  await expect(log(page).getByText('Shown at once')).toBeInViewport({ ratio: 1 });
  const pill = page.getByRole('button', { name: /new message/ });
  await expect(pill).toHaveCount(0);

  // Older messages come above what is read, which stays where it is.
  let letPass!: () => void;
  const held = new Promise<void>((resolve) => (letPass = resolve));
  await page.route(/\/messages\?.*cursor=/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/messages\?.*cursor=/);
  await scroller.evaluate(SCROLL_TO, -2300);
  await asked;
  const firstSeen = () => scroller.evaluate(FIRST_SEEN);
  const loaded = scroller.locator('[data-message]');
  await expect(loaded).toHaveCount(51);
  const before = await firstSeen();
  expect(before).toBeDefined();
  letPass();
  await expect.poll(() => loaded.count()).toBeGreaterThan(51);
  expect(await firstSeen()).toEqual(before);

  // So it does when a message arrives below.
  await arrives('Below the page');
  await expect(pill).toHaveText('1 new message');
  expect(await firstSeen()).toEqual(before);
  await pill.click();
  await expect(log(page).getByText('Below the page')).toBeInViewport({ ratio: 1 });

  await scroller.hover();
  const first = page.getByText('Message number 1', { exact: true });
  await expect(async () => {
    await page.mouse.wheel(0, -1500);
    await expect(first).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Go to the newest messages' }).click();
  await expect(page.getByText('Message number 120')).toBeInViewport();
  await expect(scroller).toBeFocused();
  await page.getByRole('button', { name: 'Back to conversations' }).click();
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible();
  await expect(page).toHaveURL(/\/messages$/);
});

// Rule: MSG-16
test('asks a visitor to log in', async ({ page }) => {
  await page.goto('/sarah-moreno');
  await page.getByRole('button', { name: 'Message', exact: true }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog.getByText('Login Required')).toBeVisible();
  await expect(dialog.getByText('Please log in to send messages to other users')).toBeVisible();
});

// Rule: PEOPLE-40, MSG-9
test('reports a message, and blocks its sender, who is gone from the list', async ({ page }) => {
  const rude = uniqueName('rude');
  const member = uniqueName('member');
  const rudeId = await aPerson(page, rude);
  await aPerson(page, member);
  await logIn(page, `${rude}@example.test`);
  const { id } = await getJson<{ id: string }>(page, `/api/users/by-username/${member}`);
  await page.goto(`/messages?with=${id}`);
  await saved(page, 'POST', /^\/api\/messages$/, () => write(page, member, 'Loser'));
  await page.context().clearCookies();

  await logIn(page, `${member}@example.test`);
  await page.goto(`/messages?with=${rudeId}`);
  await log(page).getByText('Loser').hover();
  await page.getByRole('button', { name: 'Message menu' }).click();
  await page.getByRole('menuitem', { name: 'Report message' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report' });
  await dialog.getByLabel('Harassment or hate').check();
  const sent = page.waitForResponse('**/api/reports');
  await dialog.getByRole('button', { name: 'Send report' }).click();
  expect((await sent).status()).toBe(202);
  await expect(page.getByText('Thank you. Our moderators will take a look.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Message menu' })).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Conversation menu' }).click();
  await page.getByRole('menuitem', { name: `Block ${rude}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await expect(page).toHaveURL(/\/messages$/);
  await expect(page.getByText('No conversations yet')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});
