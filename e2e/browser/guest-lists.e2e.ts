import { type Browser, type Page, expect, test } from '@playwright/test';
import { accessTokenOf, aPerson, fitsWidth, getJson, postJson, uniqueName } from './support.js';

const NARROW = { width: 390, height: 844 };
/** More than a page of a list has. */
const MANY = 25;

async function withoutScripts(browser: Browser, baseURL: string | undefined) {
  const context = await browser.newContext({ baseURL, viewport: NARROW, javaScriptEnabled: false });
  return { page: await context.newPage(), close: () => context.close() };
}

/** Opens a page that the server has rendered; on a busy machine it may send the plain one (LIMIT-15). */
async function open(page: Page, path: string) {
  await expect(async () => {
    await page.goto(path);
    await page.locator('html[data-rendered]').waitFor({ state: 'attached', timeout: 5_000 });
  }, path).toPass();
}

/** Goes on to the next part of the list; again where the page came plain. */
async function goOn(page: Page, label: string) {
  const address = await page.getByRole('link', { name: label }).getAttribute('href');
  await open(page, address!);
}

const numbers = Array.from({ length: MANY }, (_, index) => index);

// Rule: UI-70, HTTP-42
test.describe('a long list', () => {
  test('of posts and of comments can be read to its end without scripts, and back', async ({
    page,
    browser,
    baseURL,
  }) => {
    const name = uniqueName('lister');
    const id = await aPerson(page, name, true);
    const token = await accessTokenOf(page, name);
    const posts: string[] = [];
    for (const number of numbers) {
      const post = await postJson<{ id: string }>(
        page,
        '/api/posts',
        { content: `${name} writes ${number}.` },
        token,
      );
      posts.push(post.id);
    }
    for (const number of numbers)
      await postJson(page, `/api/posts/${posts[0]!}/comments`, { content: `${name} adds ${number}.` }, token);

    const still = await withoutScripts(browser, baseURL);
    const main = still.page.locator('main');
    for (const path of [`/${name}`, `/coaches/${id}`, `/profile/${id}`]) {
      await open(still.page, path);
      await expect(main.getByText(`${name} writes ${MANY - 1}.`)).toBeVisible();
      await expect(main.getByText(`${name} writes 0.`)).toHaveCount(0);
      await goOn(still.page, 'Load more');
      await expect(main.getByText(`${name} writes 0.`)).toBeVisible();
      await expect(main.getByText(`${name} writes ${MANY - 1}.`)).toHaveCount(0);
      await expect(still.page.getByRole('link', { name: 'Load more' })).toHaveCount(0);
      await main.getByRole('link', { name: 'From the beginning' }).click();
      await expect(still.page).toHaveURL(`${baseURL}${path}`);
    }
    await open(still.page, `/post/${posts[0]!}`);
    await expect(main.getByText(`${name} adds 0.`)).toBeVisible();
    await goOn(still.page, 'View more comments');
    await expect(main.getByText(`${name} adds ${MANY - 1}.`)).toBeVisible();
    await fitsWidth(still.page);
    const laterPart = new URL(still.page.url());
    await still.close();

    // A visitor with scripts goes on from the same part.
    const calls: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url());
    });
    await page.context().clearCookies();
    await open(page, laterPart.pathname + laterPart.search);
    await expect(page.locator('[data-toasts]')).toBeAttached();
    await expect(page.locator('main').getByText(`${name} adds ${MANY - 1}.`)).toBeVisible();
    await expect(page.getByRole('link', { name: 'View more comments' })).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    expect(calls).toEqual([]);
    expect(await page.locator('link[rel=canonical]').count()).toBe(0);
    await page.getByRole('link', { name: 'From the beginning' }).click();
    await expect(page.locator('main').getByText(`${name} adds 0.`)).toBeVisible();
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/post\/[^?]+$/);
  });

  test('of coaches can be read to its end without scripts', async ({ page, browser, baseURL }) => {
    const word = uniqueName('flock');
    for (const number of numbers) await aPerson(page, `${word}${number}`, true, { bio: word });
    const still = await withoutScripts(browser, baseURL);
    const cards = still.page.getByRole('list', { name: 'Coaches' }).locator(':scope > li');
    const seen = new Set<string>();
    const note = async () => {
      for (const text of await cards.getByRole('heading').allTextContents()) seen.add(text);
    };
    // The search follows what others have written.
    await expect(async () => {
      await open(still.page, `/coaches?q=${word}`);
      await expect(cards).toHaveCount(20, { timeout: 1_000 });
      await note();
      await goOn(still.page, 'Load more');
      await expect(cards).toHaveCount(MANY - 20, { timeout: 1_000 });
      await note();
    }).toPass();
    expect(seen.size).toBe(MANY);
    expect(new URL(still.page.url()).searchParams.get('q')).toBe(word);
    await still.close();
  });
});

// Rule: UI-71
test('the specialty that the directory’s address names is in sight on a phone, with and without scripts', async ({
  page,
  browser,
  baseURL,
}) => {
  const { items } = await getJson<{ items: string[] }>(page, '/api/specialties');
  const last = items.at(-1)!;
  const path = `/coaches?specialty=${encodeURIComponent(last)}`;
  await page.setViewportSize(NARROW);
  const still = await withoutScripts(browser, baseURL);
  for (const one of [still.page, page]) {
    await open(one, path);
    await expect(
      one.locator('label', { has: one.getByRole('radio', { name: last, checked: true }) }),
    ).toBeInViewport({
      ratio: 1,
    });
  }
  await still.close();
  // One that is chosen by keyboard, far away.
  await expect(page.locator('[data-toasts]')).toBeAttached();
  await page.getByRole('radio', { name: last }).press('ArrowLeft');
  await page.getByRole('radio', { name: 'All specialties' }).press('ArrowLeft');
  const chosen = page.locator('label:has(:checked)');
  await expect(chosen).not.toHaveText('All specialties');
  await expect(chosen).toBeInViewport({ ratio: 1 });
});

// Rule: UI-46, UI-69
test('nothing scrolls sideways on a phone without scripts', async ({ page, browser, baseURL }) => {
  const coach = await getJson<{ id: string }>(page, '/api/users/by-username/sarah-moreno');
  const { items } = await getJson<{ items: { id: string }[] }>(page, `/api/users/${coach.id}/posts`);
  const still = await withoutScripts(browser, baseURL);
  const paths = ['/', '/coaches', '/sarah-moreno', '/sarah-moreno?tab=reviews', `/coaches/${coach.id}`];
  for (const path of [...paths, ...items.slice(0, 3).map(({ id }) => `/post/${id}`)]) {
    await open(still.page, path);
    await test.step(path, () => fitsWidth(still.page));
  }
  await still.close();
});
