import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Page, type TestInfo, expect, test } from '@playwright/test';
import { aClip } from '../support/a-clip.js';
import { aPicture } from '../support/a-picture.js';
import {
  accessTokenOf,
  account,
  aPerson,
  axeViolationsOfThemes,
  fitsWidth,
  getJson,
  logIn,
  postJson,
  settled,
  uniqueName,
} from './support.js';

const IMPORT_POSTS = '**/api/me/import/posts';
/** One call of an import takes 20. */
const NOTES = 24;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const openSettings = (page: Page) =>
  settled(page, '/settings', account(page), button(page, 'Choose archive'));
const chooseArchive = (page: Page, file: string) =>
  page.getByLabel('Choose archive').and(page.locator('input')).setInputFiles(file);

async function hasNoViolations(page: Page): Promise<void> {
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await fitsWidth(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}

interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

async function upload(page: Page, token: string, path: string, file: ChosenFile): Promise<string> {
  const answer = await page.request.post(path, {
    headers: { authorization: `Bearer ${token}` },
    multipart: { ...(path.endsWith('images') && { purpose: 'post' }), file },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

interface Shown {
  content: string;
  createdAt: string;
  locked: boolean;
  images: { alt: string }[];
  video: { type: string } | null;
  importedAt?: string;
}

/** A coach with notes, pictures, a video, comments, and a post for subscribers. */
async function aLife(page: Page, name: string, testInfo: TestInfo): Promise<string> {
  const other = uniqueName('cleo');
  await aPerson(page, other);
  const ofOther = await accessTokenOf(page, other);
  const id = await aPerson(page, name, true, { bio: 'Rows before breakfast', specialties: ['rowing'] });
  const token = await accessTokenOf(page, name);
  const post = (body: object) => postJson<{ id: string }>(page, '/api/posts', body, token);
  for (let n = 1; n <= NOTES; n += 1) await post({ content: `Note ${n} of ${name}` });
  await post({ content: 'Subscribers alone', visibility: 'subscribers' });
  const images = [];
  for (const red of [20, 220]) {
    const file = { name: `${red}.png`, mimeType: 'image/png', buffer: aPicture(600, 400, red) };
    images.push({ id: await upload(page, token, '/api/media/images', file), alt: `A red of ${red}` });
  }
  const boat = await post({ content: 'Two pictures', images });
  const clip = aClip(testInfo.outputPath('row.webm'), { width: 160, height: 90, seconds: 1, rate: 200 });
  const film = { name: 'row.webm', mimeType: 'video/webm', buffer: readFileSync(clip) };
  const filmId = await upload(page, token, '/api/media/videos', film);
  await post({ content: 'A video', video: { type: 'upload', id: filmId } });
  const headers = { authorization: `Bearer ${token}` };
  const statusOfFilm = async () =>
    ((await (await page.request.get(`/api/media/${filmId}`, { headers })).json()) as { status: string })
      .status;
  await expect.poll(statusOfFilm, { timeout: 120_000 }).toBe('ready');
  const theirs = await postJson<{ id: string }>(page, '/api/posts', { content: 'Theirs' }, ofOther);
  for (const [postId, content] of [
    [boat.id, 'The second one is nicer'],
    [theirs.id, 'Well done'],
  ] as const)
    await postJson(page, `/api/posts/${postId}/comments`, { content }, token);
  return id;
}

const postsOf = async (page: Page, id: string): Promise<Shown[]> =>
  (await getJson<{ items: Shown[] }>(page, `/api/users/${id}/posts?limit=50`)).items;

const alike = ({ content, createdAt, images, video }: Shown) => ({
  ...{ content, createdAt },
  alts: images.map(({ alt }) => alt),
  video: video?.type,
});

/** Prepares an archive in the settings. @returns where it was downloaded to */
async function downloadArchive(page: Page, testInfo: TestInfo): Promise<string> {
  await settled(page, '/settings', account(page), button(page, 'Prepare archive'));
  await hasNoViolations(page);
  await button(page, 'Prepare archive').click();
  const link = page.getByRole('link', { name: 'Download archive' });
  await expect(link).toBeVisible();
  await hasNoViolations(page);
  const begun = page.waitForEvent('download');
  await link.click();
  const download = await begun;
  expect(download.suggestedFilename()).toMatch(/^pulso-.*[.]zip$/);
  const file = testInfo.outputPath('archive.zip');
  await download.saveAs(file);
  return file;
}

/** Gets the file by two requests of the page, the first of which is cut in the middle. */
const getInTwo = (page: Page, address: string) =>
  page.evaluate(async (url) => {
    const cut = new AbortController();
    const first = await fetch(url, { signal: cut.signal });
    const size = Number(first.headers.get('content-length'));
    const { value } = await first.body!.getReader().read();
    cut.abort();
    const begun = value!.slice(0, Math.floor(size / 2));
    const headers = { range: `bytes=${begun.length}-`, 'if-range': first.headers.get('etag')! };
    const second = await fetch(url, { headers });
    const whole = await new Blob([begun, await second.blob()]).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
    return {
      ...{ statuses: [first.status, second.status], size: whole.byteLength },
      ...{ range: second.headers.get('content-range'), begun: begun.length },
      sha256: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    };
  }, address);

// Rule: ACCT-45, ACCT-46, UI-77, UI-78
test('an archive is imported into another account, which was cut off, and looks the same there', async ({
  page,
}, testInfo) => {
  test.setTimeout(420_000);
  const [ana, bea] = [uniqueName('ana'), uniqueName('bea')];
  const anaId = await aLife(page, ana, testInfo);
  const beaId = await aPerson(page, bea);
  page.on('dialog', (dialog) => void dialog.accept());

  await logIn(page, `${ana}@example.test`);
  const file = await downloadArchive(page, testInfo);

  await test.step('a download that was cut goes on', async () => {
    const bytes = readFileSync(file);
    const address = await page.getByRole('link', { name: 'Download archive' }).getAttribute('href');
    const { begun, ...got } = await getInTwo(page, address!);
    expect(begun).toBeGreaterThan(0);
    expect(got).toEqual({
      ...{ statuses: [200, 206], size: bytes.length },
      range: `bytes ${begun}-${bytes.length - 1}/${bytes.length}`,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  await page.context().clearCookies();
  await logIn(page, `${bea}@example.test`);
  await openSettings(page);

  await test.step('another file is refused', async () => {
    await chooseArchive(page, testInfo.outputPath('row.webm'));
    await expect(page.getByText(/^This is no archive of Pulso/)).toBeVisible();
  });

  await test.step('it is shown before it is imported', async () => {
    await chooseArchive(page, file);
    await expect(page.getByText(`Archive of ${ana}`)).toBeVisible();
    await expect(page.getByText('1 post for subscribers only')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Bio' })).toBeChecked();
    await hasNoViolations(page);
  });

  await test.step('the page is closed in the middle', async () => {
    let calls = 0;
    // The second call never arrives.
    await page.route(IMPORT_POSTS, (route) => ((calls += 1) === 1 ? route.continue() : undefined));
    await button(page, 'Import').click();
    await expect(page.getByText(`Posts: 20 of ${NOTES + 2}`)).toBeVisible();
    await hasNoViolations(page);
    await expect.poll(() => calls).toBe(2);
    await openSettings(page);
    await page.unroute(IMPORT_POSTS);
    await expect(page.getByText(/^You have imported 20 posts and 0 comments from an archive/)).toBeVisible();
  });

  await test.step('the same file goes on, also after the network was lost', async () => {
    await page.route(IMPORT_POSTS, (route) => route.abort('internetdisconnected'));
    await chooseArchive(page, file);
    await button(page, 'Import').click();
    await expect(page.getByText(/^Waiting for the network/)).toBeVisible();
    await page.unroute(IMPORT_POSTS);
    await expect(page.getByText('Your archive is imported.')).toBeVisible({ timeout: 120_000 });
    await expect(page.getByText(`Posts: ${NOTES + 2} of ${NOTES + 2}`)).toBeVisible();
    await expect(page.getByText('Photos and videos: 3 of 3')).toBeVisible();
    await expect(page.getByText('1 post for subscribers only')).toBeVisible();
    await expect(page.getByText('1 comment on posts of others or posts that are left out')).toBeVisible();
    await hasNoViolations(page);
  });

  await test.step('it looks the same there', async () => {
    const [theirs, here] = [await postsOf(page, anaId), await postsOf(page, beaId)];
    // A visitor sees the beginning of what is for subscribers.
    const open = theirs.filter(({ locked }) => !locked);
    expect(here.map(alike)).toEqual(open.map(alike));
    expect(here.every(({ importedAt }) => importedAt !== undefined)).toBe(true);
    await page.getByRole('link', { name: 'View your profile' }).click();
    const boat = page.getByRole('article').filter({ hasText: 'Two pictures' });
    await expect(boat.getByText('Imported', { exact: true })).toBeVisible();
    await expect(boat.getByRole('img', { name: 'A red of 220' })).toBeVisible();
    await expect(page.getByText('Rows before breakfast').first()).toBeVisible();
    await boat.getByRole('button', { name: /^Comment/ }).click();
    await expect(boat.getByText('The second one is nicer')).toBeVisible();
    await hasNoViolations(page);
  });

  await test.step('who becomes a coach takes the rest', async () => {
    await openSettings(page);
    await chooseArchive(page, file);
    await page.getByRole('checkbox', { name: 'Become a Fitness Coach' }).check();
    await button(page, 'Import').click();
    await expect(page.getByText('Your archive is imported.')).toBeVisible();
    await expect(page.getByText(`Posts: ${NOTES + 3} of ${NOTES + 3}`)).toBeVisible();
    await expect(page.getByText('1 post for subscribers only')).toBeHidden();
    await button(page, 'Close').click();
    await expect(
      page.getByText(`You have imported ${NOTES + 3} posts and 1 comment from an archive`),
    ).toBeVisible();
  });

  await test.step('into an account with posts nothing is imported', async () => {
    await page.context().clearCookies();
    await logIn(page, `${ana}@example.test`);
    await settled(
      page,
      '/settings',
      account(page),
      page.getByText(/^You have posts or comments already[.] You can import/),
    );
    await expect(button(page, 'Choose archive')).toHaveCount(0);
  });
});
