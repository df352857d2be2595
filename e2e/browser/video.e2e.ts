import { readFileSync } from 'node:fs';
import { type Locator, type Page, type Request, type TestInfo, expect, test } from '@playwright/test';
import { aClip } from '../support/a-clip.js';
import {
  accessTokenOf,
  answered,
  aPerson,
  axeViolationsOfThemes,
  fitsWidth,
  getJson,
  logIn,
  saved,
  uniqueName,
} from './support.js';

const POSTS = /^\/api\/posts$/;
const POST = /^\/api\/posts\/[^/]+$/;
const YOUTUBE = 'https://www.youtube-nocookie.com';

const panel = (page: Page) => page.getByRole('region', { name: 'Video', exact: true });
const strip = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const postButton = (page: Page) =>
  page.getByRole('button', { name: /^(Post|Posting\.\.\.|Uploading video \d+%)$/ });
const fileField = (page: Page) => panel(page).locator('input[type="file"]');
const act = (within: Locator, name: string) => within.getByRole('button', { name: `${name} the upload of` });

/** A member whose feed the page shows, with a clip to upload and the open panel. */
async function aMemberWithPanel(page: Page, testInfo: TestInfo) {
  const clip = aClip(testInfo.outputPath('run.webm'));
  const name = uniqueName('ana');
  await aPerson(page, name);
  const token = await accessTokenOf(page, name);
  await logIn(page, `${name}@example.test`);
  await openPanel(page);
  return { name, token, clip };
}

async function openPanel(page: Page): Promise<void> {
  await page.getByLabel('Your post').click();
  await page.getByRole('button', { name: 'Video', exact: true }).click();
  await expect(panel(page).getByRole('button', { name: /Choose a video/ })).toBeVisible();
}

/** Keeps the chunks of uploads from the second one of this call on from the server, until it is called. */
async function holdChunks(page: Page): Promise<() => Promise<void>> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  let chunks = 0;
  const path = '**/api/uploads/*';
  await page.route(path, async (route) => {
    if (route.request().method() === 'PATCH' && (chunks += 1) > 1) await released;
    // It may have been cut meanwhile.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    release();
    await page.unroute(path);
  };
}

async function bytesUsed(page: Page, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.get('/api/storage', { headers });
  return ((await answer.json()) as { bytesUsed: number }).bytesUsed;
}

/** What the test uses of a video element. */
interface Played {
  currentTime: number;
  pause(): void;
}

/** Where it is. */
const secondsOf = (video: Locator) => video.evaluate((element) => (element as unknown as Played).currentTime);

/** Plays it from the keyboard, and waits until it does. Around it is seen that it has the focus. */
async function plays(video: Locator): Promise<void> {
  await video.focus();
  await video.press('Space');
  await expect(video.locator('xpath=ancestor::*[@data-pictures]')).toHaveCSS('outline-style', 'solid');
  await expect.poll(() => secondsOf(video)).toBeGreaterThan(0);
  await video.evaluate((element) => (element as unknown as Played).pause());
}

/** By how many px `inner` is shown outside of `outer`, at the left or the right. */
async function overhang(inner: Locator, outer: Locator): Promise<number> {
  const [within, around] = [(await inner.boundingBox())!, (await outer.boundingBox())!];
  return Math.max(around.x - within.x, within.x + within.width - around.x - around.width);
}

// Rule: UI-65, UI-66, UI-72, MEDIA-9, MEDIA-10, MEDIA-20
test('a video is uploaded, paused, goes on after a reload, is published, plays, and is removed', async ({
  page,
}, testInfo) => {
  const { name: ana, token, clip } = await aMemberWithPanel(page, testInfo);
  expect(await axeViolationsOfThemes(page)).toEqual([]);

  const letThrough = await holdChunks(page);
  await fileField(page).setInputFiles(clip);
  await expect(panel(page).getByText(/^Uploading video \d+%$/)).toBeVisible();
  await expect(panel(page).locator('img')).toHaveAttribute('src', /^blob:/);
  await expect.poll(() => bytesUsed(page, token)).toBeGreaterThan(0);
  await act(panel(page), 'Pause').click();
  await expect(strip(page).getByText(/^Paused at \d+%$/)).toBeVisible();
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await letThrough();

  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(panel(page).getByText(/run\.webm was interrupted/)).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  const sent: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/uploads')) sent.push(request);
  });
  await fileField(page).setInputFiles(clip);
  await expect(panel(page).getByText(/^Your video is (being prepared|ready)/)).toBeVisible();
  expect(sent[0]!.method()).toBe('HEAD');
  expect(sent.some((request) => request.method() === 'POST')).toBe(false);
  expect(Number(sent[1]!.headers()['upload-offset'])).toBeGreaterThan(0);
  await expect(strip(page)).toHaveCount(0);

  await page.getByLabel('Your post').fill(`Morning run ${ana}`);
  await saved(page, 'POST', POSTS, () => postButton(page).click());
  const card = page.getByRole('article').filter({ hasText: `Morning run ${ana}` });
  const video = card.locator('video');
  await expect(video).toBeVisible({ timeout: 90_000 });
  const { width, height } = (await video.boundingBox())!;
  expect(width / height).toBeCloseTo(640 / 360, 1);
  await plays(video);
  expect(await axeViolationsOfThemes(page)).toEqual([]);

  await card.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit post' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit post' });
  await expect(dialog.locator('video')).toBeVisible();
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove video' }).click();
  const patched = answered(page, 'PATCH', POST);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  expect((await patched).ok()).toBe(true);
  await expect(video).toHaveCount(0);
  await expect.poll(() => bytesUsed(page, token)).toBe(0);
});

// Rule: UI-65, UI-72, MEDIA-13, MEDIA-15
test('a post waits for its video, also on another page, and a cancelled upload is deleted', async ({
  page,
}, testInfo) => {
  const { name: ana, token, clip } = await aMemberWithPanel(page, testInfo);
  const letThrough = await holdChunks(page);
  await fileField(page).setInputFiles(clip);
  await expect(strip(page)).toBeVisible();
  await page.getByLabel('Your post').fill(`Waits ${ana}`);
  await postButton(page).click();
  await expect(postButton(page)).toHaveText(/^Uploading video \d+%/);
  await page.getByRole('link', { name: 'Coaches' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(strip(page).getByText('run.webm')).toBeVisible();
  const published = answered(page, 'POST', POSTS);
  await letThrough();
  expect((await published).ok()).toBe(true);
  await expect(page.getByText('Post created successfully!')).toBeVisible();
  await expect(strip(page)).toHaveCount(0);

  await page.getByRole('link', { name: 'Feed' }).first().click();
  await expect(page.getByRole('article').filter({ hasText: `Waits ${ana}` })).toBeVisible();
  const used = await bytesUsed(page, token);
  await page.goto('/profile');
  const usage = page.getByRole('meter', { name: 'Storage' });
  await expect(usage).toHaveAttribute('aria-valuetext', /^(?!0 MB).+ MB of 500 MB used/);
  await page.goto('/feed');
  await openPanel(page);
  await holdChunks(page);
  await fileField(page).setInputFiles(clip);
  await expect(strip(page)).toBeVisible();
  const deleted = answered(page, 'DELETE', /^\/api\/uploads\/[^/]+$/);
  await act(strip(page), 'Cancel').click();
  expect((await deleted).status()).toBe(204);
  await expect(page.getByText('User canceled the upload/download.')).toBeVisible();
  // The publisher is empty now, and folded.
  await openPanel(page);
  // The first video may be a little larger once it is prepared.
  await expect.poll(() => bytesUsed(page, token)).toBeLessThan(used + 500_000);
});

// Rule: POST-17, POST-18, POST-26
test('links play in place or lead elsewhere, and ask nothing of another place before a press', async ({
  page,
  baseURL,
}, testInfo) => {
  const clip = aClip(testInfo.outputPath('small.webm'), { width: 320, height: 180, seconds: 2, rate: 200 });
  const ana = uniqueName('ana');
  await aPerson(page, ana);
  const foreign: string[] = [];
  await page.route(
    (url) => url.origin !== new URL(baseURL!).origin && url.protocol === 'https:',
    async (route) => {
      foreign.push(new URL(route.request().url()).origin);
      const isClip = route.request().url().endsWith('.webm');
      await route.fulfill(
        isClip
          ? { body: readFileSync(clip), contentType: 'video/webm' }
          : { body: '<!doctype html><title>frame</title><p>played</p>', contentType: 'text/html' },
      );
    },
  );
  await logIn(page, `${ana}@example.test`);
  const publishLink = async (text: string, url: string) => {
    await openPanel(page);
    await panel(page).getByText('Link', { exact: true }).click();
    await page.getByLabel('Link to a video').fill(url);
    await page.getByLabel('Your post').fill(`${text} ${ana}`);
    await saved(page, 'POST', POSTS, () => postButton(page).click());
    return page.getByRole('article').filter({ hasText: `${text} ${ana}` });
  };
  await openPanel(page);
  await panel(page).getByText('Link', { exact: true }).click();
  await page.getByLabel('Link to a video').fill('run.mp4');
  await page.getByLabel('Link to a video').blur();
  await expect(page.getByText('Please enter a valid URL')).toBeVisible();
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await page.getByLabel('Link to a video').fill('');
  await page.getByRole('button', { name: 'Video', exact: true }).click();

  const youtube = await publishLink('Tube', 'https://youtu.be/M7lc1UVf-VE');
  const direct = await publishLink('Direct', 'https://cdn.example.test/run.webm');
  const external = await publishLink('Elsewhere', 'https://example.test/run');
  await expect(youtube.getByText('Plays from YouTube')).toBeVisible();
  await expect(direct.getByText('Plays from cdn.example.test')).toBeVisible();
  await expect(external.getByRole('link', { name: /^Watch on example.test/ })).toHaveAttribute(
    'rel',
    'noopener noreferrer',
  );
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  expect(foreign).toEqual([]);

  await youtube.getByRole('button', { name: /^Play the video/ }).click();
  await expect(youtube.frameLocator('iframe').getByText('played')).toBeVisible();
  expect(foreign).toEqual([YOUTUBE]);
  await direct.getByRole('button', { name: /^Play the video/ }).click();
  const video = direct.locator('video');
  await expect.poll(() => secondsOf(video)).toBeGreaterThan(0);
  // One plays at a time.
  await expect(youtube.locator('iframe')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  // Rule: UI-51, UI-65
  test('the whole road of a small video goes by touch', async ({ page }, testInfo) => {
    // As phones name them.
    const file = testInfo.outputPath(`${'VID_20261128_071533214'.repeat(4)}.webm`);
    const clip = aClip(file, { width: 180, height: 320, seconds: 2, rate: 200 });
    const ana = uniqueName('ana');
    await aPerson(page, ana);
    const token = await accessTokenOf(page, ana);
    await logIn(page, `${ana}@example.test`);
    await page.getByRole('button', { name: 'How did your training go?' }).tap();
    await page.getByRole('button', { name: 'Video', exact: true }).tap();
    await page.route('**/api/media/videos', (route) => route.fulfill({ status: 404 }), { times: 1 });
    const chooser = page.waitForEvent('filechooser');
    await panel(page)
      .getByRole('button', { name: /Choose a video/ })
      .tap();
    await (await chooser).setFiles(clip);
    const alert = panel(page).getByRole('alert');
    await expect(alert).toHaveText(/does not exist/);
    expect(await overhang(alert.locator('p'), alert)).toBeLessThanOrEqual(0);
    const uploaded = answered(page, 'POST', /^\/api\/media\/videos$/);
    await act(panel(page), 'Retry').tap();
    expect((await uploaded).status()).toBe(201);
    await expect(panel(page).getByText(/^Your video is (being prepared|ready)/)).toBeVisible();
    expect(await axeViolationsOfThemes(page)).toEqual([]);
    await fitsWidth(page);
    const published = answered(page, 'POST', POSTS);
    await postButton(page).tap();
    const answer = await published;
    expect(answer.status(), await answer.text()).toBe(201);
    const { id } = (await answer.json()) as { id: string };
    const video = page.locator(`[data-post="${id}"] video`);
    await expect(video).toBeVisible({ timeout: 90_000 });
    const { height } = (await video.boundingBox())!;
    expect(height).toBeLessThanOrEqual(640);
    await fitsWidth(page);
    // A visitor sees it, too, as the server has rendered it.
    const { video: stored } = await getJson<{ video: { status: string } }>(page, `/api/posts/${id}`);
    expect(stored.status).toBe('ready');
    await page.getByRole('button', { name: 'Post menu' }).first().tap();
    await page.getByRole('menuitem', { name: 'Edit post' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Edit post' });
    await expect(dialog.locator('video')).toBeVisible();
    expect(await overhang(dialog.locator('video'), dialog)).toBeLessThanOrEqual(0);
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: 'Post menu' }).first().tap();
    await page.getByRole('menuitem', { name: 'Delete post' }).tap();
    await saved(page, 'DELETE', POST, () => page.getByRole('button', { name: 'Dismiss' }).last().tap());
    await expect.poll(() => bytesUsed(page, token)).toBe(0);
  });
});
