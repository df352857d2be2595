import { type APIResponse, type Locator, type Page, expect, test } from '@playwright/test';
import { aPicture } from '../support/a-picture.js';
import {
  accessTokenOf,
  aPerson,
  axeViolationsOfThemes,
  fitsWidth,
  logIn,
  postJson,
  settled,
  uniqueName,
} from './support.js';

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

type Size = readonly [width: number, height: number];
const SQUARE: Size = [400, 400];
const PORTRAIT: Size = [300, 600];
const LANDSCAPE: Size = [600, 300];
const PANORAMA: Size = [1200, 60];
const TOWER: Size = [60, 1200];
const DOT: Size = [8, 8];

interface Post {
  id: string;
  images: { id: string; url: string }[];
}

/** Uploads a picture over the API, again while a slow machine refuses it; returns its id. */
async function anUpload(page: Page, token: string, [width, height]: Size, red: number): Promise<string> {
  const file = { name: 'photo.png', mimeType: 'image/png', buffer: aPicture(width, height, red) };
  const headers = { authorization: `Bearer ${token}` };
  const multipart = { purpose: 'post', file };
  let answer!: APIResponse;
  const status = async () =>
    (answer = await page.request.post('/api/media/images', { headers, multipart })).status();
  await expect.poll(status).not.toBe(503);
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as { id: string }).id;
}

/** A post with pictures of these sizes, the n-th of them with the alternative text "Shot n" and the caption "Seen n". */
async function aPostOf(page: Page, token: string, sizes: readonly Size[], fields = {}): Promise<Post> {
  const images: object[] = [];
  for (const [index, size] of sizes.entries()) {
    const id = await anUpload(page, token, size, 25 * index);
    images.push({ id, alt: `Shot ${index + 1}`, caption: `Seen ${index + 1}` });
  }
  return postJson<Post>(page, '/api/posts', { content: `${sizes.length} shots`, images, ...fields }, token);
}

async function anAuthor(page: Page, isCoach = false) {
  const username = uniqueName('shots');
  await aPerson(page, username, isCoach);
  return { username, token: await accessTokenOf(page, username) };
}

const card = (page: Page, { id }: Post) => page.locator(`[data-post="${id}"]`);
const tiles = (within: Locator) => within.getByRole('button', { name: /^Open photo/ });
const lightbox = (page: Page) => page.getByRole('dialog', { name: /^Photos by/ });
/** Its picture, and not those of the strip. */
const shot = (page: Page, n: number) => lightbox(page).getByRole('img', { name: `Shot ${n}`, exact: true });

async function seen(image: Locator): Promise<void> {
  await expect(image).toHaveJSProperty('complete', true);
  await expect(image).not.toHaveJSProperty('naturalWidth', 0);
  await expect(image).toHaveCSS('opacity', '1');
}

/** Counts how much of the window moved for other reasons than a press, where it was in a card; before the page is opened. */
async function shiftsOfCards(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(`
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        const inCard = sources.some(({ node }) => (node instanceof Element ? node : node?.parentElement)?.closest('article'));
        if (!hadRecentInput && inCard) window.shifted += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  return () => page.evaluate<number>('window.shifted');
}

// Rule: UI-20, UI-46
test('cards show one to five pictures of any proportions, and nothing moves while they load', async ({
  page,
}) => {
  const { username, token } = await anAuthor(page);
  const sets: Size[][] = [
    [PANORAMA],
    [TOWER],
    [DOT],
    [PORTRAIT, PANORAMA],
    [TOWER, LANDSCAPE, SQUARE],
    [PANORAMA, TOWER, DOT, SQUARE],
    [LANDSCAPE, PORTRAIT, PANORAMA, TOWER, DOT],
    [LANDSCAPE, PORTRAIT, PANORAMA, TOWER, DOT, SQUARE],
    Array.from({ length: 10 }, (_, index) => [SQUARE, PANORAMA, TOWER][index % 3]!),
  ];
  const posts: Post[] = [];
  for (const sizes of sets) posts.push(await aPostOf(page, token, sizes));
  const shifted = await shiftsOfCards(page);

  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    await settled(page, `/${username}`, card(page, posts.at(-1)!));
    for (const [index, post] of posts.entries()) {
      const shown = Math.min(sets[index]!.length, 5);
      await expect(tiles(card(page, post))).toHaveCount(shown);
      for (const image of await card(page, post).getByRole('img').all()) {
        await image.scrollIntoViewIfNeeded();
        await seen(image);
      }
      const box = (await card(page, post).locator('[data-pictures]').boundingBox())!;
      expect(box.height).toBeLessThanOrEqual(640);
      expect(box.width).toBeGreaterThanOrEqual(200);
    }
    await expect(card(page, posts.at(-1)!).getByText('+5', { exact: true })).toBeVisible();
    await expect(card(page, posts.at(-2)!).getByText('+1', { exact: true })).toBeVisible();
    expect(await shifted()).toBeLessThanOrEqual(0.02);
    expect(await axeViolationsOfThemes(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsWidth(page);
});

// Rule: UI-20, UI-46
test('the lightbox goes through a post’s pictures by keyboard, pointer and strip, zooms, and gives the focus back', async ({
  page,
}) => {
  const { username, token } = await anAuthor(page);
  const post = await aPostOf(page, token, [LANDSCAPE, PORTRAIT, PANORAMA, TOWER, DOT, SQUARE]);
  await settled(page, `/${username}`, card(page, post));
  await tiles(card(page, post)).nth(1).press('Enter');
  await seen(shot(page, 2));
  const counter = lightbox(page).getByText(/^\d \/ 6$/);
  await expect(counter).toHaveText('2 / 6');
  await expect(lightbox(page).getByText('Seen 2')).toBeVisible();
  expect(await axeViolationsOfThemes(page)).toEqual([]);

  for (const [key, at] of [
    ['ArrowLeft', 1],
    ['ArrowLeft', 6],
    ['ArrowRight', 1],
  ] as const) {
    await page.keyboard.press(key);
    await seen(shot(page, at));
    await expect(counter).toHaveText(`${at} / 6`);
  }
  await lightbox(page).getByRole('button', { name: 'Next photo' }).click();
  await expect(counter).toHaveText('2 / 6');
  await lightbox(page).getByRole('button', { name: 'Photo 6 of 6: Shot 6' }).click();
  await seen(shot(page, 6));

  // No picture is larger than its place, whatever its proportions.
  for (let n = 1; n <= 6; n += 1) {
    await lightbox(page)
      .getByRole('button', { name: `Photo ${n} of 6: Shot ${n}` })
      .click();
    await seen(shot(page, n));
    const { x, y, width, height } = (await shot(page, n).boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(WIDE.width);
    expect(y + height).toBeLessThanOrEqual(WIDE.height);
  }

  await page.keyboard.press('Home');
  await seen(shot(page, 1));
  const widthNow = async () => (await shot(page, 1).boundingBox())!.width;
  const whole = await widthNow();
  await page.keyboard.press('+');
  expect(await widthNow()).toBeGreaterThan(whole);
  await lightbox(page).getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(widthNow).toBe(whole);
  await shot(page, 1).dblclick();
  expect(await widthNow()).toBeGreaterThan(2 * whole);
  const { x, y } = (await shot(page, 1).boundingBox())!;
  await page.mouse.move(640, 300);
  await page.mouse.down();
  await page.mouse.move(560, 300, { steps: 4 });
  await page.mouse.up();
  expect((await shot(page, 1).boundingBox())!).toMatchObject({ x: x - 80, y });
  await page.keyboard.press('0');
  await expect.poll(widthNow).toBe(whole);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -240);
  await page.keyboard.up('Control');
  await expect.poll(widthNow).toBe(2 * whole);

  await page.keyboard.press('Escape');
  await expect(lightbox(page)).toHaveCount(0);
  await expect(tiles(card(page, post)).nth(1)).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`/${username}$`));
});

// Rule: UI-20, UI-36
test.describe('on a phone', () => {
  test.use({ viewport: NARROW, hasTouch: true, isMobile: true });

  test('a swipe leads to the next picture, two fingers zoom, Back and a swipe down close the lightbox', async ({
    page,
  }) => {
    const { username, token } = await anAuthor(page);
    const post = await aPostOf(page, token, [SQUARE, LANDSCAPE, PORTRAIT]);
    await settled(page, `/${username}`, card(page, post));
    await tiles(card(page, post)).first().tap();
    await seen(shot(page, 1));
    expect(await axeViolationsOfThemes(page)).toEqual([]);

    const session = await page.context().newCDPSession(page);
    /** Fingers go from the first of their points to the last. */
    const touch = async (...paths: Size[][]) => {
      const at = (step: number) => paths.map((path, id) => ({ x: path[step]![0], y: path[step]![1], id }));
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
      for (let step = 1; step < paths[0]!.length; step += 1)
        await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) });
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    await touch([
      [300, 500],
      [220, 500],
      [120, 505],
    ]);
    await seen(shot(page, 2));
    await touch([
      [100, 500],
      [180, 500],
      [280, 495],
    ]);
    await seen(shot(page, 1));
    const before = (await shot(page, 1).boundingBox())!.width;
    await touch(
      [
        [170, 400],
        [140, 400],
        [90, 400],
      ],
      [
        [220, 400],
        [250, 400],
        [300, 400],
      ],
    );
    await expect.poll(async () => (await shot(page, 1).boundingBox())!.width).toBeGreaterThan(2 * before);
    // A finger moves the large picture, and does not swipe.
    await touch([
      [300, 400],
      [200, 400],
      [100, 400],
    ]);
    await expect(lightbox(page).getByText('1 / 3')).toBeVisible();

    await expect.poll(() => page.evaluate<boolean>('Boolean(history.state?.usr?.dialog)')).toBe(true);
    await page.goBack();
    await expect(lightbox(page)).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`/${username}$`));
    await expect(card(page, post)).toBeVisible();

    // Not a tap: so soon after a swipe Chromium may send its touches without a click.
    await tiles(card(page, post)).nth(1).click();
    await seen(shot(page, 2));
    // A short one, and one up, do not.
    for (const [from, to] of [
      [400, 460],
      [500, 300],
    ] as const) {
      await touch([
        [200, from],
        [200, (from + to) / 2],
        [200, to],
      ]);
      await expect(lightbox(page).getByText('2 / 3')).toBeVisible();
    }
    await touch([
      [200, 300],
      [202, 360],
      [205, 460],
    ]);
    await expect(lightbox(page)).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`/${username}$`));
  });
});

// Rule: MEDIA-5, MEDIA-19
test('a picture whose address has expired is asked for again at a new one; where that fails, its place says so', async ({
  page,
}) => {
  const { username, token } = await anAuthor(page, true);
  const post = await aPostOf(page, token, [LANDSCAPE], { visibility: 'subscribers' });
  await logIn(page, `${username}@example.test`);
  const files = new RegExp(`/media/${post.images[0]!.id}/`);
  const refused = (route: { fulfill: (answer: { status: number }) => Promise<void> }) =>
    route.fulfill({ status: 403 });
  let reads = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api/posts/${post.id}`) reads += 1;
  });

  await page.route(files, refused, { times: 1 });
  await settled(page, `/${username}`, card(page, post));
  const image = card(page, post).getByRole('img');
  await seen(image);
  expect(reads).toBe(1);

  await page.route(files, refused);
  await settled(page, `/${username}`, card(page, post));
  const failed = card(page, post).getByRole('button', { name: 'Failed to load image Retry' });
  await expect(failed).toBeVisible();
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  expect(reads).toBe(2);
  await page.unroute(files);
  await failed.click();
  await seen(image);
  expect(reads).toBe(3);

  await page.route(files, refused);
  await tiles(card(page, post)).click();
  await expect(lightbox(page).getByRole('alert')).toContainText('Failed to load image');
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await page.unroute(files);
  await lightbox(page).getByRole('button', { name: 'Retry' }).click();
  await seen(shot(page, 1));
});

// Rule: POST-6
test('a locked post tells how many photos it has, and asks for none of them', async ({ page }) => {
  const { username, token } = await anAuthor(page, true);
  const post = await aPostOf(page, token, [SQUARE, LANDSCAPE], { visibility: 'subscribers' });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/media\/(?!.*\/avatar$)/.test(pathname)) asked.push(pathname);
  });
  await settled(page, `/${username}`, card(page, post));
  await expect(card(page, post).getByText('2 photos')).toBeVisible();
  await expect(tiles(card(page, post))).toHaveCount(0);
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  expect(asked).toEqual([]);
});
