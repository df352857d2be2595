import { type Locator, type Page, expect, test } from '@playwright/test';
import {
  PASSWORD,
  aPerson,
  accessTokenOf,
  account,
  logIn,
  postJson,
  publish,
  put,
  settled,
  signUp,
  uniqueName,
} from './support.js';

const scrollY = (page: Page) => page.evaluate<number>('Math.round(scrollY)');
const coversPage = (page: Page) => page.evaluate<boolean>('Boolean(history.state?.usr?.dialog)');

/** A position that the page was given is that of its next frame; a press before that may scroll it back. */
const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

/** Playwright's own click would scroll the page to where the bar stands without being sticky. */
async function pressInBar(page: Page, name: string | RegExp): Promise<void> {
  const { x, y, width, height } = (await page.getByRole('button', { name }).boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
}

/** Presses Back as soon as what covers the page has its history entry. */
async function goBackFrom(page: Page, cover: Locator): Promise<void> {
  await expect(cover).toBeVisible();
  await expect.poll(() => coversPage(page)).toBe(true);
  await page.goBack();
  await expect(cover).toHaveCount(0);
  await expect.poll(() => coversPage(page)).toBe(false);
}

// Rule: UI-36
test('Back on a phone closes what covers the feed; its place and what was typed stay, and the next Back leaves it', async ({
  page,
}) => {
  const [author, reader] = [uniqueName('author'), uniqueName('back')];
  const authorId = await aPerson(page, author);
  await aPerson(page, reader);
  const token = await accessTokenOf(page, author);
  for (let index = 0; index < 8; index += 1) {
    await postJson(page, '/api/posts', { content: `Morning run ${index} of ${author}` }, token);
  }
  // Those who are followed stand before all that others publish meanwhile.
  await put(page, `/api/users/${authorId}/follow`, await accessTokenOf(page, reader));
  await logIn(page, `${reader}@example.test`);
  const mine = `My own post ${uniqueName('text')}`;
  await publish(page, mine);
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page, '/coaches', page.getByRole('list', { name: 'Coaches' }));
  await page.getByRole('link', { name: 'Feed', exact: true }).click();
  const foreign = page.getByRole('article').filter({ hasText: `Morning run 3 of ${author}` });
  await expect(foreign).toBeVisible();
  await page.evaluate('scrollTo(0, 400)');
  await foreign.scrollIntoViewIfNeeded();
  await page.evaluate(TWO_FRAMES);
  const stays = async (y: number) => {
    await expect(page).toHaveURL(/\/feed$/);
    expect(await scrollY(page)).toBe(y);
  };

  let y = await scrollY(page);
  expect(y).toBeGreaterThan(0);
  await pressInBar(page, /^Notifications/);
  await goBackFrom(page, page.getByRole('dialog', { name: 'Notifications' }));
  await stays(y);
  await pressInBar(page, 'Open menu');
  await goBackFrom(page, page.locator('#mobile-panel'));
  await stays(y);
  // The first press, while the code of the search is still loading.
  await pressInBar(page, 'Search people');
  await goBackFrom(page, page.getByRole('dialog'));
  await stays(y);
  await pressInBar(page, 'New post');
  await goBackFrom(page, page.getByRole('dialog', { name: 'New post' }));
  await stays(y);

  const menu = foreign.getByRole('button', { name: 'Post menu' });
  await menu.scrollIntoViewIfNeeded();
  await page.evaluate(TWO_FRAMES);
  y = await scrollY(page);
  await menu.click();
  await goBackFrom(page, page.getByRole('menu'));
  await stays(y);
  const report = page.getByRole('dialog', { name: 'Report' });
  const note = report.getByLabel(/Anything we should know/);
  const openReport = async () => {
    await menu.click();
    await page.getByRole('menuitem', { name: 'Report post' }).click();
    await expect(report).toBeVisible();
  };
  await openReport();
  await note.fill('It sells pills');
  await goBackFrom(page, report);
  await stays(y);
  await expect(menu).toBeFocused();
  await openReport();
  await expect(note).toHaveValue('It sells pills');
  await goBackFrom(page, report);

  const own = page.getByRole('article').filter({ hasText: mine });
  await own.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit post' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit post' });
  y = await scrollY(page);
  await edit.getByRole('textbox').fill(`${mine}, and more`);
  await goBackFrom(page, edit);
  await stays(y);
  // What was typed is one press away.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(edit.getByRole('textbox')).toHaveValue(`${mine}, and more`);
  await goBackFrom(page, edit);

  await page.goForward();
  await expect.poll(() => coversPage(page)).toBe(false);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await stays(y);
  await page.goBack();
  await expect(page).toHaveURL(/\/coaches$/);
  await expect(page.getByRole('heading', { name: 'Fitness Coaches' })).toBeVisible();
});

// Rule: UI-36
test('a link in what covers a phone’s page leads on; Back and Forward pass over it', async ({ page }) => {
  await signUp(page, uniqueName('back'));
  await page.setViewportSize({ width: 390, height: 844 });
  const followers = page.getByRole('button', { name: /Followers, show the list/ });
  await settled(page, '/sarah-moreno', followers);
  await followers.click();
  await expect.poll(() => coversPage(page)).toBe(true);
  const dialog = page.getByRole('dialog', { name: 'Followers' });
  const there = page.getByRole('heading', { level: 1, name: 'Alex Rivera' });
  await dialog.getByRole('link', { name: 'Alex Rivera' }).first().click();
  await expect(there).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/sarah-moreno$/);
  await expect.poll(() => coversPage(page)).toBe(false);
  await expect(dialog).toHaveCount(0);
  await page.goForward();
  await expect(there).toBeVisible();
  await expect(page).toHaveURL(/\/alex-rivera$/);
});

/** As on another device. */
async function endOtherSessions(page: Page, accessToken: string): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const list = await page.request.get('/api/auth/sessions', { headers });
  const { items } = (await list.json()) as { items: { id: string; current: boolean }[] };
  const others = items.filter(({ current }) => !current);
  expect(others.length).toBeGreaterThan(0);
  for (const { id } of others) {
    const ended = await page.request.delete(`/api/auth/sessions/${id}`, { headers });
    expect(ended.ok()).toBe(true);
  }
}

// Rule: UI-3, UI-36
test('a session that ends while a dialog covers a phone’s page leads to the login, and its text stays', async ({
  page,
}) => {
  const name = uniqueName('ended');
  await aPerson(page, name);
  const token = await accessTokenOf(page, name);
  await logIn(page, `${name}@example.test`);
  await page.setViewportSize({ width: 390, height: 844 });
  const text = `Half a thought ${name}`;
  await page.getByRole('button', { name: 'How did your training go?' }).click();
  const dialog = page.getByRole('dialog', { name: 'New post' });
  await dialog.getByRole('textbox').fill(text);
  await expect.poll(() => coversPage(page)).toBe(true);

  await endOtherSessions(page, token);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();

  await page.getByLabel('Email').fill(`${name}@example.test`);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/feed$/);
  await page.getByRole('button', { name: text }).click();
  await expect(dialog.getByRole('textbox')).toHaveValue(text);
  await expect.poll(() => coversPage(page)).toBe(true);

  // In another tab.
  const other = await page.context().newPage();
  await settled(other, '/coaches', other.getByRole('list', { name: 'Coaches' }));
  await account(other).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(other).toHaveURL(/\/$/);
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(dialog).toHaveCount(0);
});
