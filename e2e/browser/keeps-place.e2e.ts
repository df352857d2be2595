import { type Page, expect, test } from '@playwright/test';
import {
  PASSWORD,
  aPerson,
  accessTokenOf,
  holdNotices,
  logIn,
  postJson,
  publish,
  put,
  saved,
  signUp,
  uniqueName,
} from './support.js';

const PHONE = { width: 390, height: 844 };

const publisher = (page: Page) => page.getByRole('textbox', { name: 'Your post' });
const scrollY = (page: Page) => page.evaluate<number>('Math.round(scrollY)');
/** Evaluates to whether the page stands still for ten frames. */
const restsForFrames = `new Promise((resolve) => {
  const y = scrollY;
  let frames = 0;
  const next = () => (scrollY !== y ? resolve(false) : ++frames === 10 ? resolve(true) : requestAnimationFrame(next));
  next();
})`;
const focusedPost = (page: Page) => page.evaluate<string>('document.activeElement?.dataset?.post ?? ""');

/** A new post in the feed by the token's user; resolves to its text. */
async function postBy(page: Page, accessToken: string, visibility = 'public'): Promise<string> {
  const content = `Worth reading ${uniqueName('post')}`;
  await postJson(page, '/api/posts', { content, visibility }, accessToken);
  return content;
}

// Rule: UI-33, UI-45
test('what is typed after Comment is the comment, and no shortcut', async ({ page }) => {
  await signUp(page, uniqueName('keen'));
  const text = `Ready for comments ${uniqueName('post')}`;
  await publish(page, text);
  const post = page.getByRole('article').filter({ hasText: text });
  await post.getByRole('button', { name: /^Comment/ }).click();
  await page.keyboard.type('nice one, jolly l');
  const box = post.getByLabel('Write a comment');
  await expect(box).toHaveValue('nice one, jolly l');
  await expect(publisher(page)).toHaveValue('');
  await expect(post.getByRole('button', { name: /^Liked/ })).toHaveCount(0);
  await page.keyboard.press('Control+Enter');
  await expect(post.getByRole('listitem')).toHaveCount(1);
  await expect(box).toBeFocused();

  // Nor does the failure of an earlier act take what is typed.
  const held = new Promise<() => Promise<void>>((resolve) => {
    void page.route('**/api/posts', (route) => resolve(() => route.fulfill({ status: 500 })));
  });
  await publisher(page).fill('Not today');
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await box.focus();
  await page.keyboard.type('one ');
  await (
    await held
  )();
  await expect(page.getByRole('alert')).toContainText('500');
  await page.keyboard.type('two ');
  await expect(box).toHaveValue('one two ');
  await expect(publisher(page)).toHaveValue('Not today');
  await page.keyboard.press('Escape');
  await expect(post).toBeFocused();
});

// Rule: UI-45, UI-52
test('j goes on from where one reads; Back returns to the post and its place, also after a reload', async ({
  page,
}) => {
  const [author, reader] = [uniqueName('author'), uniqueName('reader')];
  const authorId = await aPerson(page, author, true);
  await aPerson(page, reader);
  const authorsToken = await accessTokenOf(page, author);
  // In this reader's feed alone, before all others: journeys at the same time look for theirs on the first page.
  await put(page, `/api/subscriptions/${authorId}`, await accessTokenOf(page, reader));
  // More than two pages of the list.
  for (let count = 0; count < 50; count += 1) await postBy(page, authorsToken, 'subscribers');
  await logIn(page, `${reader}@example.test`);
  await page.mouse.move(400, 400);
  // By wheel, which moves no focus.
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 600);
        return scrollY(page);
      },
      { intervals: [100], timeout: 60_000 },
    )
    .toBeGreaterThan(4500);
  // A wheel's last turn is still moving the page.
  await expect.poll(() => page.evaluate<boolean>(restsForFrames)).toBe(true);
  await page.keyboard.press('j');
  const first = await focusedPost(page);
  expect(await page.getByRole('article').first().getAttribute('data-post')).not.toBe(first);
  const top = await page.evaluate<number>('document.activeElement.getBoundingClientRect().top');
  expect(top).toBeGreaterThan(0);
  expect(top).toBeLessThan(720);

  const opened = page.locator(`[data-post="${first}"]`);
  const y = await scrollY(page);
  // The address changes before the page does; a Back in between leaves nothing to restore.
  const open = async () => {
    await opened.locator('a:has(time)').press('Enter');
    await expect(page).toHaveURL(new RegExp(`/post/${first}$`));
    await expect(page.getByRole('feed')).toHaveCount(0);
    await expect(opened).toBeVisible();
  };
  await open();
  await page.goBack();
  await expect(opened).toBeFocused();
  await expect.poll(() => scrollY(page)).toBe(y);

  await open();
  await page.reload();
  await page.goBack();
  await expect(opened).toBeFocused();
  await expect.poll(() => scrollY(page)).toBe(y);

  await page.reload();
  await expect(opened).toBeVisible();
  await expect.poll(() => scrollY(page)).toBe(y);
});

// Rule: FEED-11
test('newer posts are announced, come by a press, and by Feed on the feed; nothing moves before', async ({
  page,
}) => {
  const [author, reader] = [uniqueName('author'), uniqueName('reader')];
  const authorId = await aPerson(page, author);
  await aPerson(page, reader);
  const authorsToken = await accessTokenOf(page, author);
  // Those who are followed stand before all that others publish meanwhile.
  await put(page, `/api/users/${authorId}/follow`, await accessTokenOf(page, reader));
  await page.clock.install();
  await logIn(page, `${reader}@example.test`);
  const posts = page.getByRole('article');
  await expect(posts.first()).toBeVisible();
  await page.getByRole('heading', { name: 'Social Feed' }).click();
  const content = await postBy(page, authorsToken);
  await page.clock.fastForward('01:05');
  const pill = page.getByRole('button', { name: 'New posts' });
  await expect(pill).toBeVisible();
  await expect(posts.filter({ hasText: content })).toHaveCount(0);
  await pill.click();
  await expect(posts.first()).toContainText(content);
  await expect(posts.first()).toBeFocused();
  await expect(pill).toHaveCount(0);

  const second = await postBy(page, authorsToken);
  await page.getByRole('banner').getByRole('link', { name: 'Feed', exact: true }).first().click();
  await expect(posts.first()).toContainText(second);
});

// Rule: UI-4, UI-34, UI-41
test('a visitor who likes a post is back at it after the login; a comment begun there shows on it after a reload', async ({
  page,
}) => {
  const author = uniqueName('author');
  const fan = uniqueName('fan');
  await aPerson(page, fan);
  await signUp(page, author);
  const text = `For visitors ${author}`;
  await publish(page, text);
  await publish(page, `Above it ${author}`);
  await page.context().clearCookies();
  // The post is below the edge.
  await page.setViewportSize({ width: 1280, height: 480 });
  await page.goto(`/${author}`);
  const post = page.getByRole('article').filter({ hasText: text });
  await expect(post).not.toBeInViewport();
  await post.getByRole('button', { name: /^Like/ }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Login Required' });
  await expect(dialog.getByRole('link', { name: 'Login' })).toBeFocused();
  await dialog.getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('Email').fill(`${fan}@example.test`);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await saved(page, 'PUT', /\/like$/, () =>
    page.getByRole('button', { name: 'Sign in', exact: true }).click(),
  );
  await expect(page).toHaveURL(new RegExp(`/${author}$`));
  await expect(post.getByRole('button', { name: /^Liked/ })).toBeInViewport({ ratio: 1 });
  await expect(post).toBeFocused();

  await post.getByRole('button', { name: /^Comment/ }).click();
  await page.getByLabel('Write a comment').fill('Half a thought');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(post.getByRole('button', { name: /^Liked/ })).toBeVisible();
  await post.getByRole('button', { name: /^Comment.*Draft$/ }).click();
  await expect(page.getByLabel('Write a comment')).toHaveValue('Half a thought');
});

// Rule: UI-22, UI-41
test('on a phone Post and Save stay above the keyboard, and an edit that Back discards comes back by Undo', async ({
  page,
}) => {
  await holdNotices(page);
  await signUp(page, uniqueName('phone'));
  await page.setViewportSize(PHONE);
  await page.locator('[data-publisher]').click();
  await expect(publisher(page)).toBeFocused();
  const text = `Long ${uniqueName('post')}\n${'another line\n'.repeat(30)}`;
  await publisher(page).fill(text);
  // As much as a keyboard leaves.
  await page.setViewportSize({ width: 390, height: 500 });
  const send = page.getByRole('button', { name: 'Post', exact: true });
  await expect(send).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(PHONE);
  await send.click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('[data-publisher]')).toBeFocused();

  const post = page.getByRole('article').first();
  await expect(post).toContainText('Long post-');
  await post.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit post' }).click();
  const content = page.getByLabel('Content');
  await expect(content).toBeFocused();
  await expect.poll(() => page.evaluate<boolean>('Boolean(history.state?.usr?.dialog)')).toBe(true);
  await content.fill('Rewritten');
  await page.goBack();
  await expect(content).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('Content')).toHaveValue('Rewritten');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(post).toContainText('Rewritten');
});

// Rule: UI-29, UI-41
test('a change of the profile that was left by a link is there again', async ({ page }) => {
  const username = uniqueName('editor');
  await aPerson(page, username);
  await logIn(page, `${username}@example.test`);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Bio').fill('Rows before breakfast');
  await page.getByRole('banner').getByRole('link', { name: 'Coaches', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Fitness Coaches' })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Bio')).toHaveValue('Rows before breakfast');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Your profile has been updated successfully!')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByText('Rows before breakfast')).toBeVisible();
});

// Rule: UI-54
test('printed, the feed is posts without controls', async ({ page }) => {
  await signUp(page, uniqueName('paper'));
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});

// Rule: UI-44
test('piled up marks do not leave their text', async ({ page }) => {
  await signUp(page, uniqueName('marks'));
  const text = `Marks ${uniqueName('post')}`;
  await publish(page, `${text} a${'\u0301\u0323'.repeat(200)}`, text);
  const post = page.getByRole('article').filter({ hasText: text });
  await expect(post.getByText(text)).toHaveCSS('overflow-y', 'clip');
});
