import { type Locator, type Page, expect, test } from '@playwright/test';
import { aPicture } from '../support/a-picture.js';
import {
  accessTokenOf,
  answered,
  aPerson,
  axeViolationsOfThemes,
  fitsWidth,
  getJson,
  holdNotices,
  logIn,
  saved,
  uniqueName,
} from './support.js';

interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const png = (name: string, buffer: Buffer): ChosenFile => ({ name, mimeType: 'image/png', buffer });
/** Pictures of different reds: in the order of their names. */
const pictures = (n: number): ChosenFile[] =>
  Array.from({ length: n }, (_, index) => png(`${index}.png`, aPicture(300, 200, 20 * index)));

const UPLOAD = /^\/api\/media\/images$/;
const POSTS = /^\/api\/posts$/;
const POST = /^\/api\/posts\/[^/]+$/;

const publisher = (page: Page) => page.getByRole('region', { name: 'New post' });
const tiles = (within: Page | Locator) => within.getByRole('button', { name: /^Photo \d+ of \d+/ });
/** Those whose upload is done. */
const ready = (within: Page | Locator) => within.locator('[data-status="ready"]');
const postButton = (page: Page) => page.getByRole('button', { name: 'Post', exact: true });
const names = async (within: Page | Locator) =>
  Promise.all((await tiles(within).all()).map((tile) => tile.getAttribute('aria-label')));

async function openPhotos(page: Page): Promise<void> {
  await page.getByLabel('Your post').click();
  await page.getByRole('button', { name: 'Photo', exact: true }).click();
  await expect(page.getByRole('button', { name: /Choose photos/ })).toBeVisible();
}

const choose = (within: Page | Locator, files: ChosenFile[]) =>
  within.locator('input[type="file"]').setInputFiles(files);

async function bytesUsed(page: Page, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.get('/api/storage', { headers });
  return ((await answer.json()) as { bytesUsed: number }).bytesUsed;
}

/** Gives the element a file, made in the page by `make`, as the system does when one is dropped or pasted. */
const hand = (page: Page, selector: string, how: 'drop' | 'paste', make: string) =>
  page.evaluate(`(async () => {
    const data = new DataTransfer();
    data.items.add(await (${make})());
    const init = { bubbles: true, cancelable: true };
    document.querySelector(${JSON.stringify(selector)}).dispatchEvent('${how}' === 'paste'
      ? new ClipboardEvent('paste', { ...init, clipboardData: data })
      : new DragEvent('drop', { ...init, dataTransfer: data }));
  })()`);

/** A JPEG of 400x200 whose camera was held upright: it is to be shown as 200x400. */
const UPRIGHT = `async () => {
  const canvas = new OffscreenCanvas(400, 200);
  const context = canvas.getContext('2d');
  context.fillStyle = 'teal';
  context.fillRect(0, 0, 400, 200);
  const jpeg = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer());
  const exif = [0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1,
    1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
  return new File([jpeg.slice(0, 2), new Uint8Array(exif), jpeg.slice(2)], 'upright.jpg', { type: 'image/jpeg' });
}`;

const TRANSPARENT = `async () => {
  const canvas = new OffscreenCanvas(2500, 500);
  canvas.getContext('2d').clearRect(0, 0, 2500, 500);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return new File([blob], 'screenshot.png', { type: 'image/png' });
}`;

// Rule: UI-18, UI-23, MEDIA-14, MEDIA-21, POST-5, POST-10
test('photos are chosen, put in order by keyboard, described, published, edited, and their storage is given back', async ({
  page,
}) => {
  const ana = uniqueName('ana');
  await aPerson(page, ana);
  const token = await accessTokenOf(page, ana);
  const blocked: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) blocked.push(message.text());
  });
  let workers = 0;
  page.on('worker', () => (workers += 1));
  await logIn(page, `${ana}@example.test`);
  await openPhotos(page);
  expect(await axeViolationsOfThemes(page)).toEqual([]);

  await choose(page, pictures(3));
  await expect(ready(page)).toHaveCount(3);
  expect({ workers, blocked }).toEqual({ workers: 3, blocked: [] });
  const used = await bytesUsed(page, token);
  expect(used).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Alt text and caption of photo 1' }).click();
  await page.getByLabel('Alt text', { exact: true }).fill('Dawn');
  await page.getByRole('textbox', { name: 'Caption' }).fill('At the lake');
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await tiles(page).first().focus();
  for (const key of ['Space', 'ArrowRight', 'ArrowRight', 'Space']) await page.keyboard.press(key);
  expect(await names(page)).toEqual(['Photo 1 of 3', 'Photo 2 of 3', 'Photo 3 of 3: Dawn']);
  await expect(tiles(page).nth(2)).toBeFocused();

  const published = answered(page, 'POST', POSTS);
  await postButton(page).click();
  const post = (await (await published).json()) as { id: string; images: { alt: string; caption: string }[] };
  expect(post.images.map(({ alt, caption }) => ({ alt, caption }))).toEqual([
    { alt: '', caption: '' },
    { alt: '', caption: '' },
    { alt: 'Dawn', caption: 'At the lake' },
  ]);
  const card = page.locator(`[data-post="${post.id}"]`);
  await expect(card).toBeVisible();
  await expect(tiles(publisher(page))).toHaveCount(0);

  await card.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit post' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit post' });
  await expect(ready(dialog)).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Remove photo 1' }).click();
  await choose(dialog, [png('added.png', aPicture(200, 300, 255))]);
  await expect(ready(dialog)).toHaveCount(3);
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);
  const { images } = await getJson<{ images: { alt: string }[] }>(page, `/api/posts/${post.id}`);
  expect(images.map(({ alt }) => alt)).toEqual(['', 'Dawn', '']);

  await card.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: 'Delete post' }).click();
  await saved(page, 'DELETE', POST, () => page.getByRole('button', { name: 'Dismiss' }).last().click());
  await expect.poll(() => bytesUsed(page, token)).toBe(0);
});

// Rule: MEDIA-1, MEDIA-2, MEDIA-21
test('files are dropped and pasted, the good ones are taken, and what is wrong with the others is told', async ({
  page,
}) => {
  const ana = uniqueName('ana');
  await aPerson(page, ana);
  await logIn(page, `${ana}@example.test`);
  const uploaded = async (act: () => Promise<unknown>) => {
    const answer = answered(page, 'POST', UPLOAD);
    await act();
    const { metadata } = (await (await answer).json()) as {
      metadata: { originalName: string; dimensions: object };
    };
    return { name: metadata.originalName, ...metadata.dimensions };
  };
  expect(await uploaded(() => hand(page, 'section:has([data-publisher])', 'drop', UPRIGHT))).toEqual({
    ...{ name: 'upright.jpg', width: 200, height: 400 },
  });
  expect(await uploaded(() => hand(page, '[data-publisher]', 'paste', TRANSPARENT))).toEqual({
    ...{ name: 'screenshot.png', width: 1920, height: 384 },
  });
  await expect(ready(page)).toHaveCount(2);

  await choose(page, [
    png('huge.png', Buffer.alloc(10 * 1024 * 1024 + 1)),
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
    png('broken.png', Buffer.from('no picture')),
    png('good.png', aPicture(300, 200)),
  ]);
  await expect(ready(page)).toHaveCount(3);
  const told = publisher(page).getByRole('alert').locator('p > span');
  await expect(told).toHaveText([
    'File 1: File too large. Maximum size: 10MB',
    'File 2: Invalid file type. Allowed: .jpg, .jpeg, .png, .webp, .gif',
    'Failed to process image 3: Failed to load image',
  ]);
  await expect(postButton(page)).toHaveAttribute('aria-disabled', 'true');
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove photo 3' }).click();
  await expect(told).toHaveCount(0);

  await choose(page, pictures(11));
  await expect(told).toHaveText(['Too many files. Maximum: 10 images']);
  await expect(ready(page)).toHaveCount(10);
  await expect(postButton(page)).toHaveAttribute('aria-disabled', 'false');

  const order = async () =>
    Promise.all((await ready(page).all()).map((tile) => tile.getAttribute('data-photo')));
  const [first, second, third, ...others] = await order();
  await ready(page).nth(0).hover();
  await page.mouse.down();
  const { x, y, width, height } = (await ready(page).nth(2).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 });
  await page.mouse.up();
  expect(await order()).toEqual([second, third, first, ...others]);
  // The press was a drag: no texts are opened.
  await expect(page.getByLabel('Alt text', { exact: true })).toHaveCount(0);
});

// Rule: UI-41, UI-51
test('on a phone photos have their place in the dialog, and those of a draft outlive a reload', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const ana = uniqueName('ana');
  await aPerson(page, ana);
  await logIn(page, `${ana}@example.test`);
  await page.getByRole('button', { name: 'How did your training go?' }).click();
  await page.getByRole('button', { name: 'Photo', exact: true }).click();
  await choose(page, pictures(5));
  await expect(ready(page)).toHaveCount(5);
  await page.getByRole('button', { name: 'Alt text and caption of photo 2' }).click();
  await page.getByLabel('Alt text', { exact: true }).fill('Dawn');
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Draft 5 photos' }).click();
  await expect(tiles(page).nth(1)).toHaveAttribute('aria-label', 'Photo 2 of 5: Dawn');
  await expect(tiles(page).first().locator('img')).toHaveAttribute('src', /^\/media\//);
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsWidth(page);
  await saved(page, 'POST', POSTS, () => postButton(page).click());
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'How did your training go?' })).toBeVisible();
});

// Rule: UI-22, UI-56
test('an edit that is discarded keeps its photos for Undo, and then gives their storage back', async ({
  page,
}) => {
  const ana = uniqueName('ana');
  await aPerson(page, ana);
  const token = await accessTokenOf(page, ana);
  await holdNotices(page);
  await logIn(page, `${ana}@example.test`);
  const text = `Five sets of five ${ana}`;
  await page.getByLabel('Your post').fill(text);
  await postButton(page).click();
  const card = page.getByRole('article').filter({ hasText: text });
  await card.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit post' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit post' });
  await dialog.getByRole('button', { name: 'Photo', exact: true }).click();
  await choose(dialog, pictures(1));
  await expect(ready(dialog)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(ready(dialog)).toHaveCount(1);
  expect(await bytesUsed(page, token)).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await saved(page, 'DELETE', /^\/api\/media\/[^/]+$/, () =>
    page.getByRole('button', { name: 'Dismiss' }).last().click(),
  );
  await expect.poll(() => bytesUsed(page, token)).toBe(0);
});
