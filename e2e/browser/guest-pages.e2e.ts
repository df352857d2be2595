import { type Browser, type BrowserContextOptions, type Page, expect, test } from '@playwright/test';
import { account, axeViolations, getJson } from './support.js';

const DEMO = { email: 'alex@demo.pulso.fit', password: 'pulso-demo' };

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

interface List<Item> {
  items: Item[];
}

interface DemoPost {
  id: string;
  locked: boolean;
  content: string;
}

/** The demo coach's profile and a post that everybody may read. */
async function demo(page: Page) {
  const coach = await getJson<{ id: string }>(page, '/api/users/by-username/sarah-moreno');
  const { items } = await getJson<List<DemoPost>>(page, `/api/users/${coach.id}/posts`);
  const post = items.find(({ locked }) => !locked)!;
  const words = post.content.split(/\s/, 4).join(' ');
  return { coach, post, words, first: items[0]!.content.split(/\s/, 4).join(' ') };
}

/** Every guest page, with what it shows. */
async function guestPages(page: Page): Promise<Record<string, string>> {
  const { coach, post, words, first } = await demo(page);
  return {
    '/': 'Train together, feel the pulse',
    '/coaches': 'Sarah Moreno',
    '/coaches?q=sarah': 'Sarah Moreno',
    '/sarah-moreno': first,
    [`/coaches/${coach.id}`]: first,
    [`/profile/${coach.id}`]: first,
    '/sarah-moreno?tab=reviews': 'Reviews',
    [`/post/${post.id}`]: words,
  };
}

/** A page of its own kind, beside that of the test. */
async function openAs(browser: Browser, baseURL: string | undefined, options: BrowserContextOptions) {
  const context = await browser.newContext({ baseURL, ...options });
  return { context, page: await context.newPage() };
}

/** What the page reports as wrong, such as a rendered page that its scripts would have rendered otherwise. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

/** Opens a page that the server has rendered; on a busy machine it may send the plain one (LIMIT-15). */
async function open(
  page: Page,
  path: string,
  { waitUntil = 'load' as 'load' | 'commit', begin = () => {} } = {},
) {
  await expect(async () => {
    begin();
    await page.goto(path, { waitUntil });
    await page.locator('html[data-rendered]').waitFor({ state: 'attached', timeout: 5_000 });
  }, path).toPass();
}

/** Makes a page note all titles that each of its documents has had, in `window.titles`. */
const noteTitles = (page: Page) =>
  page.addInitScript(`
    window.titles = [];
    new MutationObserver(() => document.title && window.titles.push(document.title)).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  `);

/** HTML of text alone as it is shown. */
const textOf = (page: Page, html: string) =>
  page.evaluate<string>(
    `new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html').documentElement.textContent`,
  );

/** Toasts have their element once the page has come to life. */
const alive = (page: Page) => expect(page.locator('[data-toasts]')).toBeAttached();

// Rule: UI-68, UI-69
test.describe('a guest’s page', () => {
  test('has its content without scripts, on a desk and on a phone, in the system’s theme', async ({
    page,
    browser,
    baseURL,
  }) => {
    for (const [viewport, colorScheme, background] of [
      [WIDE, 'dark', 'rgb(23, 20, 18)'],
      [NARROW, 'dark', 'rgb(23, 20, 18)'],
      [NARROW, 'light', 'rgb(250, 248, 246)'],
    ] as const) {
      const plain = await openAs(browser, baseURL, { viewport, colorScheme, javaScriptEnabled: false });
      const main = plain.page.locator('main');
      for (const [path, text] of Object.entries(await guestPages(page))) {
        await open(plain.page, path);
        await expect(main.getByText(text).first(), path).toBeVisible();
        for (const picture of await main.locator('[data-pictures] img').all()) {
          await expect(picture, path).toBeVisible();
          await expect(picture, path).toHaveCSS('opacity', '1');
        }
        await expect(plain.page.locator('body'), path).toHaveCSS('background-color', background);
        const bar = plain.page.getByRole('banner');
        for (const name of ['Coaches', 'Login', 'Sign Up'])
          await expect(bar.getByRole('link', { name }), path).toBeInViewport();
        await expect(bar.getByRole('button'), path).toHaveCount(0);
        await expect(main.getByRole('button', { name: /^(Comment$|Follow|Subscribe|Load)/ })).toHaveCount(0);
        await expect(plain.page.getByText('needs JavaScript'), path).toBeHidden();
        const beside = viewport === WIDE && !/^\/(coaches)?($|\?)/.test(path);
        const side = plain.page.getByRole('complementary');
        await expect(side.getByRole('listitem').first(), path).toBeVisible({ visible: beside });
        await expect(plain.page.getByRole('link', { name: 'API' }), path).toBeVisible({
          visible: beside || path === '/',
        });
      }
      await plain.context.close();
    }
  });

  // Rule: HTTP-27, UI-54
  test('has its title from the beginning, and keeps it', async ({ page, request }) => {
    await noteTitles(page);
    const paths = [...Object.keys(await guestPages(page)), '/login', '/signup', '/unsubscribe', '/a/b/c'];
    for (const path of paths) {
      const [, sent] = /<title>([^<]*)<\/title>/.exec(await (await request.get(path)).text())!;
      await page.goto(path);
      await alive(page);
      await page.waitForLoadState('networkidle');
      const titles = await page.evaluate<string[]>('window.titles');
      expect([path, [...new Set(titles)]]).toEqual([path, [await textOf(page, sent!)]]);
    }
  });

  // Rule: HTTP-27
  test('says without scripts what is missing, and which page needs them', async ({ browser, baseURL }) => {
    const { page: still, context } = await openAs(browser, baseURL, { javaScriptEnabled: false });
    for (const [path, heading] of [
      ['/a/b/c', '404 - Page Not Found'],
      ['/nobody-is-called-so', 'User Not Found'],
    ] as const) {
      await still.goto(path);
      await expect(still.getByRole('heading', { name: heading })).toBeVisible();
    }
    await still.goto('/login');
    // Texts are not looked for in such elements.
    const says = still.locator('noscript p').first();
    await expect(says).toBeVisible();
    expect(await says.textContent()).toContain('needs JavaScript');
    await still.goto('/a/b/c');
    await still.getByRole('link', { name: 'Go to the home page' }).click();
    await expect(still).toHaveURL(`${baseURL}/`);
    await context.close();
  });

  // Rule: HTTP-41
  test('is at its one address, however its username is written', async ({ page, request }) => {
    await page.goto('/Sarah-Moreno/?tab=reviews');
    await expect(page).toHaveURL(/\/sarah-moreno\?tab=reviews$/);
    const answer = await request.get('/Sarah-Moreno', { maxRedirects: 0 });
    expect([answer.status(), answer.headers()['location']]).toEqual([301, '/sarah-moreno']);
  });

  test('leads on without scripts', async ({ browser, baseURL }) => {
    const { page, context } = await openAs(browser, baseURL, { viewport: NARROW, javaScriptEnabled: false });
    await open(page, '/');
    await expect(
      page.getByRole('list', { name: 'Some of the coaches' }).getByRole('listitem').first(),
    ).toBeVisible();
    await expect(page.locator('main').getByRole('article')).toBeVisible();
    await open(page, '/sarah-moreno');
    await page.getByRole('link', { name: 'Reviews', exact: true }).click();
    await expect(page).toHaveURL(/tab=reviews$/);
    await open(page, '/coaches');
    await page.getByLabel('Search coaches').fill('sarah');
    await page.getByRole('button', { name: 'Search coaches' }).click();
    await expect(page).toHaveURL(/q=sarah/);
    await expect(page.locator('main').getByText('Sarah Moreno')).toBeVisible();
    await context.close();
  });

  test('has its first post within its first 14 KB', async ({ page, request }) => {
    const { coach, post, words, first } = await demo(page);
    for (const [path, text] of [
      [`/post/${post.id}`, words],
      ['/sarah-moreno', first],
      [`/coaches/${coach.id}`, first],
    ] as const) {
      let body!: Buffer;
      await expect(async () => {
        body = await (await request.get(path)).body();
        expect(body.includes('data-rendered')).toBe(true);
      }).toPass();
      const escaped = text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');
      expect(body.subarray(0, 14 * 1024).toString(), path).toContain(escaped);
    }
  });

  test('has no axe violation before its scripts are there, in both themes', async ({
    page,
    browser,
    baseURL,
  }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page: still, context } = await openAs(browser, baseURL, { viewport: WIDE, colorScheme });
      await still.route(/\/assets\/boot[^/]*\.js$/, (route) => route.abort());
      for (const path of Object.keys(await guestPages(page))) {
        await open(still, path);
        for (const viewport of [WIDE, NARROW]) {
          await still.setViewportSize(viewport);
          expect(await axeViolations(still), `${path} ${viewport.width} ${colorScheme}`).toEqual([]);
        }
      }
      await context.close();
    }
  });

  test('comes to life as it is: nothing is asked for again, nothing moves, wherever the reader is', async ({
    page,
    browser,
    baseURL,
  }) => {
    const pages = await guestPages(page);
    for (const [viewport, timezoneId, colorScheme] of [
      [WIDE, 'America/Los_Angeles', 'light'],
      [NARROW, 'Pacific/Auckland', 'dark'],
    ] as const) {
      const one = await openAs(browser, baseURL, { viewport, timezoneId, colorScheme, locale: 'de-DE' });
      const complaints = complaintsOf(one.page);
      const calls: string[] = [];
      one.page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        // Where other journeys have made many coaches, the directory goes on as its end comes near.
        if (pathname.startsWith('/api/') && !searchParams.has('cursor')) calls.push(pathname);
      });
      await one.page.addInitScript(`
        window.moved = 0;
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.moved += value;
        }).observe({ type: 'layout-shift', buffered: true });
      `);
      for (const path of Object.keys(pages)) {
        await open(one.page, path, { begin: () => void (calls.length = 0) });
        await alive(one.page);
        await one.page.waitForLoadState('networkidle');
        expect(calls, path).toEqual([]);
        expect(await one.page.evaluate<number>('window.moved'), path).toBeLessThan(0.01);
        // What comes to life when it is near is seen before, and does not move either.
        await one.page.locator('main').getByRole('link').last().scrollIntoViewIfNeeded();
        await one.page.waitForLoadState('networkidle');
        if (path === '/') expect(calls, path).toEqual([]);
        expect(await one.page.evaluate<number>('window.moved'), path).toBeLessThan(0.01);
      }
      expect(complaints).toEqual([]);
      await one.context.close();
    }
  });

  test('works once its scripts are there, and keeps a press from before', async ({ page }) => {
    const { post } = await demo(page);
    const like = page.getByRole('button', { name: /^Like/ }).first();
    await open(page, `/post/${post.id}`);
    await alive(page);
    await like.click();
    await expect(page.getByRole('alertdialog')).toContainText('Login');

    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/assets\/app[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await open(page, `/post/${post.id}`, { waitUntil: 'commit' });
    await like.click();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    release();
    await expect(page.getByRole('alertdialog')).toContainText('Login');
  });

  test('takes over what was typed before its scripts were there', async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/assets\/app[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await open(page, '/coaches', { waitUntil: 'commit' });
    await page.getByLabel('Search coaches').fill('sarah');
    release();
    await expect(page).toHaveURL(/\?q=sarah$/);
    await expect(page.getByRole('list', { name: 'Coaches' }).getByRole('link')).toHaveCount(1);
  });

  test('is replaced by the member’s own where a member meets it', async ({ page, browser, baseURL }) => {
    const { post, words } = await demo(page);
    let body!: string;
    await expect(async () => {
      body = await (await page.request.get(`/post/${post.id}`)).text();
      expect(body).toContain('data-rendered');
    }).toPass();
    const member = await openAs(browser, baseURL, {});
    const complaints = complaintsOf(member.page);
    await member.page.request.post('/api/auth/login', { data: DEMO, headers: { origin: baseURL! } });
    await member.page.route(`**/post/${post.id}`, (route) =>
      route.fulfill({ body, contentType: 'text/html' }),
    );
    await member.page.goto(`/post/${post.id}`);
    await expect(account(member.page)).toBeVisible();
    await expect(member.page.locator('main').getByText(words).first()).toBeVisible();
    await expect(member.page.getByRole('banner')).toHaveCount(1);
    expect(complaints).toEqual([]);
    await member.context.close();
  });

  test('is followed by Back to where it was, as a document or within the app', async ({ page }) => {
    const { first } = await demo(page);
    await open(page, '/sarah-moreno');
    await alive(page);
    await page.evaluate('window.scrollTo(0, 600)');
    await page
      .getByRole('article')
      .nth(1)
      .getByRole('link', { name: /ago|Nov|Oct/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/post\//);
    await page.goBack();
    await expect(page.locator('main').getByText(first).first()).toBeAttached();
    await expect.poll(() => page.evaluate<number>('window.scrollY')).toBeGreaterThan(300);
    await expect(page).toHaveTitle(/Sarah Moreno/);
    await page.reload();
    await alive(page);
    await expect.poll(() => page.evaluate<number>('window.scrollY')).toBeGreaterThan(300);
  });
});
