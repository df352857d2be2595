import { type Locator, type Page, expect, test } from '@playwright/test';
import {
  BLOCK,
  aPerson,
  accessTokenOf,
  getJson,
  holdNotices,
  postJson,
  saved,
  settled,
  signUp,
  uniqueName,
} from './support.js';

/** A name as long as names may be: a letter with marks piled up above and below it. */
const PILED = `Q${'\u0301'.repeat(40)}${'\u0323'.repeat(39)}`;

/** How far, in px, a text may reach beyond its box, and how far around it is looked at. */
const [MARGIN, AROUND] = [6, 60];

// The tests are compiled without the DOM's types.
const SCROLL = new Function('element', `element.scrollIntoView({ block: 'center' })`) as () => void;
const STYLE = new Function(
  'element',
  'style',
  `for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value, 'important')`,
) as (element: unknown, style: Record<string, string>) => void;

const COUNT_OUTSIDE = new Function(
  'given',
  `const pixelsOf = async (png) => {
    const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  };
  return Promise.all(given.shots.map(pixelsOf)).then(([one, other]) => {
    const { left, top, right, bottom } = given.box;
    let count = 0;
    for (let at = 0; at < one.data.length; at += 4) {
      const [x, y] = [(at / 4) % one.width, Math.floor(at / 4 / one.width)];
      if (x >= left && x < right && y >= top && y < bottom) continue;
      if ([0, 1, 2].some((colour) => Math.abs(one.data[at + colour] - other.data[at + colour]) > 32)) count += 1;
    }
    return count;
  });`,
) as (given: object) => Promise<number>;

/** How many pixels around the box of a text change when the text is hidden; the edges of pictures may, a little. */
async function paintedOutside(text: Locator, paper: Page): Promise<number> {
  const page = text.page();
  const { width, height } = page.viewportSize()!;
  const box = (await text.boundingBox())!;
  const clip = { x: Math.max(0, Math.floor(box.x - AROUND)), y: Math.max(0, Math.floor(box.y - AROUND)) };
  // Whole pixels: a picture of parts of them is scaled.
  const size = {
    width: Math.min(width, Math.ceil(box.x + box.width + AROUND)) - clip.x,
    height: Math.min(height, Math.ceil(box.y + box.height + AROUND)) - clip.y,
  };
  const shot = async () => (await page.screenshot({ clip: { ...clip, ...size } })).toString('base64');
  const shown = await shot();
  await text.evaluate(STYLE, { visibility: 'hidden' });
  const hidden = await shot();
  await text.evaluate(STYLE, { visibility: 'visible' });
  const [left, top] = [box.x - clip.x, box.y - clip.y];
  return paper.evaluate(COUNT_OUTSIDE, {
    shots: [shown, hidden],
    box: {
      left: left - MARGIN,
      top: top - MARGIN,
      right: left + box.width + MARGIN,
      bottom: top + box.height + MARGIN,
    },
  });
}

// Rule: UI-44
test('marks that are piled up do not paint over what is beside', async ({ page }) => {
  const [author, reader] = [uniqueName('piled'), uniqueName('reader')];
  const authorId = await aPerson(page, author, false, { name: PILED, bio: `Bio ${PILED}` });
  const token = await accessTokenOf(page, author);
  const { id } = await postJson<{ id: string }>(page, '/api/posts', { content: `Post ${PILED}` }, token);
  await postJson(page, `/api/posts/${id}/comments`, { content: `Comment ${PILED}` }, token);
  await holdNotices(page);
  await signUp(page, reader);
  const { id: receiverId } = await getJson<{ id: string }>(page, `/api/users/by-username/${reader}`);
  await postJson(page, '/api/messages', { receiverId, content: `Message ${PILED}` }, token);

  const paper = await page.context().newPage();
  await page.bringToFront();
  /** The same without the clipping shows that these marks reach that far. */
  const isClipped = async (place: string, text: Locator) => {
    await expect(text).toBeVisible();
    await text.evaluate(SCROLL);
    // Again while something else changes beside it, such as a time.
    const outside = expect.configure({ soft: true }).poll(() => paintedOutside(text, paper), {
      message: place,
      timeout: 5_000,
    });
    await outside.toBe(0);
    await text.evaluate(STYLE, { overflow: 'visible' });
    expect(await paintedOutside(text, paper), `${place} without clipping`).toBeGreaterThan(0);
    await text.evaluate(STYLE, { overflow: '' });
  };

  const post = page.getByRole('article');
  await settled(page, `/post/${id}`, post.getByText('Comment Q'));
  await isClipped('post', post.getByText('Post Q'));
  await isClipped('name', post.locator('header .one-line'));
  await isClipped('comment', post.getByText('Comment Q'));
  await isClipped('name of a comment', post.getByRole('listitem').locator('.one-line'));

  await settled(page, `/messages?with=${authorId}`, page.getByRole('log').getByText('Message Q'));
  await isClipped('message', page.getByRole('log').getByText('Message Q'));
  await isClipped('last message', page.getByRole('list').getByText('Message Q'));
  await isClipped(
    'name of a conversation',
    page.getByRole('region', { name: /^Q/ }).locator('header .one-line'),
  );

  await settled(page, `/${author}`, page.getByText('Bio Q'));
  await isClipped('bio', page.getByText('Bio Q'));
  await isClipped('name of a profile', page.getByRole('main').locator('h1'));
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: /^Block/ }).click();
  const dialog = page.getByRole('alertdialog');
  await isClipped('dialog', dialog.locator('h2'));
  await saved(page, 'PUT', BLOCK, () => dialog.getByRole('button', { name: 'Block' }).click());
  await isClipped('toast', page.getByRole('region', { name: 'Notices' }).getByText('You have blocked'));
  await isClipped('note on a page', page.getByRole('main').getByText('You have blocked'));
});
