import { type Locator, type Page, expect, test } from '@playwright/test';
import {
  accessTokenOf,
  aPerson,
  axeViolations,
  logIn,
  postJson,
  publish,
  saved,
  signUp,
  uniqueName,
} from './support.js';

/** Likes the post, and waits until the server knows. */
const like = (card: Locator) =>
  saved(card.page(), 'PUT', /\/like$/, () => card.getByRole('button', { name: 'Like', exact: true }).click());

const cardOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

// Rule: POST-16
test('the number of likes opens the list of those who like the post, who can be followed there', async ({
  page,
}) => {
  const [author, fan] = [uniqueName('author'), uniqueName('fan')];
  const text = `Five sets of five ${author}`;
  await signUp(page, author);
  await publish(page, text);
  await page.context().clearCookies();
  await signUp(page, fan);
  await like(cardOf(page, text));
  await page.context().clearCookies();
  await logIn(page, `${author}@example.test`);

  const card = cardOf(page, text);
  const count = card.getByRole('button', { name: '1 like' });
  await count.click();
  const list = page.getByRole('dialog', { name: 'Likes' });
  await expect(list.getByRole('link', { name: fan })).toBeVisible();
  await saved(page, 'PUT', /\/follow$/, () => list.getByRole('button', { name: `Follow ${fan}` }).click());
  await expect(list.getByRole('button', { name: `Following ${fan}` })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(count).toBeFocused();

  // The like beside it toggles as ever; the viewer is first in the list then.
  await like(card);
  await card.getByRole('button', { name: '2 likes' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText(author);
  await list.getByRole('link', { name: fan }).click();
  await expect(page).toHaveURL(new RegExp(`/${fan}$`));
  await expect(page.getByRole('button', { name: 'Following', exact: true })).toBeVisible();
});

// Rule: POST-16
test('the number of likes is a target of 44 px on phones', async ({ page }) => {
  const author = uniqueName('author');
  await page.setViewportSize({ width: 320, height: 700 });
  await signUp(page, author);
  await page.getByRole('button', { name: 'How did your training go?' }).click();
  await publish(page, `Small ${author}`);
  const card = cardOf(page, `Small ${author}`);
  await card.getByRole('button', { name: 'Like', exact: true }).click();
  const { width, height } = (await card.getByRole('button', { name: '1 like' }).boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
});

test('the actions of a post stand in one row on phones, and its byline in two lines', async ({ page }) => {
  const [coach, reader] = [uniqueName('coach'), uniqueName('reader')];
  await aPerson(page, coach, true, { name: 'Sarah Moreno' });
  const token = await accessTokenOf(page, coach);
  const { id } = await postJson<{ id: string }>(page, '/api/posts', { content: `Open ${coach}` }, token);
  await postJson(page, '/api/posts', { content: `Locked ${coach}`, visibility: 'subscribers' }, token);
  await postJson(page, `/api/posts/${id}/comments`, { content: 'First' }, token);
  await signUp(page, reader);
  await page.goto(`/${coach}`);
  await like(cardOf(page, `Open ${coach}`));
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const card = cardOf(page, `Open ${coach}`);
    const [liked, comment] = await Promise.all(
      [/^Liked/, /^Comment/].map((name) => card.getByRole('button', { name }).boundingBox()),
    );
    expect({ width, y: comment!.y, end: comment!.x + comment!.width < width }).toEqual({
      width,
      y: liked!.y,
      end: true,
    });
    const locked = cardOf(page, 'Subscribers only');
    const name = await locked.getByRole('link', { name: 'Sarah Moreno' }).boundingBox();
    const mark = await locked.getByText('Subscribers only', { exact: true }).boundingBox();
    const lines = Math.round((mark!.y + mark!.height - name!.y) / 24);
    expect({ width, lines }).toEqual({ width, lines: 2 });
  }
});

// Rule: UI-44, UI-57
test('a mention leads to a profile, and a press elsewhere on the card to its post', async ({ page }) => {
  const [author, friend] = [uniqueName('author'), uniqueName('friend')];
  await aPerson(page, friend);
  await signUp(page, author);
  const text = `Thanks @${friend}, from ${author}`;
  await publish(page, text, `from ${author}`);
  const card = cardOf(page, `from ${author}`);
  await card.getByRole('link', { name: `@${friend}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: friend })).toBeVisible();
  await page.goBack();

  const isOpen = async () => {
    await expect(page).toHaveURL(/\/post\//);
    // The address changes before the page does; a Back in between leaves nothing to restore.
    await expect(page.getByRole('feed')).toHaveCount(0);
    await expect(card).toBeVisible();
  };
  await card.getByText('Thanks').click({ position: { x: 5, y: 10 } });
  await isOpen();
  const path = new URL(page.url()).pathname;
  await page.goBack();
  await expect(card).toBeFocused();

  await page.keyboard.press('o');
  await isOpen();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await page.goBack();
  await expect(card).toBeFocused();
  await page.keyboard.press('Enter');
  await isOpen();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await page.goBack();
  await expect(card).toBeFocused();

  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    card.getByText('Thanks').click({ position: { x: 5, y: 10 }, modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(tab).toHaveURL(new RegExp(`${path}$`));
  await tab.close();
  await expect(page).toHaveURL(/\/feed$/);

  // A text that is selected by dragging over it stays on the page.
  const { x, y } = (await card.getByText('Thanks').boundingBox())!;
  await page.mouse.move(x + 2, y + 12);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 12, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate('String(getSelection())')).not.toBe('');
  await expect(page).toHaveURL(/\/feed$/);
});

// Rule: UI-58
test('a comment near its limit shows what is left, and beyond it is kept whole and not sent', async ({
  page,
}) => {
  const author = uniqueName('author');
  await signUp(page, author);
  await publish(page, `Long talk ${author}`);
  const card = cardOf(page, `Long talk ${author}`);
  await card.getByRole('button', { name: 'Comment' }).click();
  const box = card.getByRole('textbox', { name: 'Write a comment' });
  await box.fill('x'.repeat(1_599));
  await expect(card.getByText(/\d left/)).toHaveCount(0);
  await box.press('End');
  await box.pressSequentially('xy');
  await expect(card.getByText('399 left')).toBeVisible();
  await expect(card.getByRole('status').filter({ hasText: 'characters left' })).toHaveText(
    '400 characters left',
  );
  await box.fill('x'.repeat(2_003));
  await expect(card.getByText('3 too many')).toBeVisible();
  await expect(box).toHaveValue('x'.repeat(2_003));
  await box.press('Control+Enter');
  await expect(box).toHaveValue('x'.repeat(2_003));
  expect(await axeViolations(page)).toEqual([]);
  await box.fill('');
});
