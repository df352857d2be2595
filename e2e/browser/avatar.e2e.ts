import { type Locator, type Page, expect, test } from '@playwright/test';
import { account, answered, axeViolations, logIn, publish, signUp, aPerson, uniqueName } from './support.js';

/** A picture as a camera may have taken it, drawn by the browser. */
async function aPicture(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
    const context = canvas.getContext('2d');
    for (const [index, colour] of ['#b33', '#3b3', '#33b', '#bb3'].entries()) {
      context.fillStyle = colour;
      context.fillRect((index * ${width}) / 4, 0, ${width} / 4, ${height});
    }
    return canvas.toDataURL('image/png').split(',')[1];
  })()`);
  return Buffer.from(base64, 'base64');
}

async function choose(page: Page, buffer: Buffer, name = 'me.png', mimeType = 'image/png'): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Change photo' }).click();
  await (await chooser).setFiles({ name, mimeType, buffer });
}

/** The addresses of the pictures in `place` that are really there. */
async function picturesOf(place: Locator): Promise<string[]> {
  const images = await place.locator('img').all();
  const addresses = await Promise.all(
    images.map((one) =>
      one.evaluate((image: { naturalWidth: number; getAttribute(name: string): string | null }) =>
        image.naturalWidth > 0 ? image.getAttribute('src') : null,
      ),
    ),
  );
  return addresses.filter((address) => address !== null);
}

// Rule: UI-67, UI-28, MEDIA-6, MEDIA-15
test('a member cuts and saves a picture, which others see everywhere, and takes it away again', async ({
  page,
  browser,
}) => {
  const banner = page.getByRole('banner');
  const name = uniqueName('portrait');
  await signUp(page, name);
  await publish(page, `Written by ${name}`);
  await account(page).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  const usage = page.getByRole('meter', { name: 'Storage' });
  await expect(usage).toHaveAttribute('aria-valuetext', '0 MB of 500 MB used (0%)');
  await page.getByRole('button', { name: 'Edit profile' }).click();

  await choose(page, Buffer.from('<svg/>'), 'me.svg', 'image/svg+xml');
  const alert = page.getByRole('alert');
  await expect(alert).toHaveText('Invalid file type. Allowed: .jpg, .jpeg, .png, .webp, .gif');
  await choose(page, Buffer.from('no picture'));
  await expect(alert).toHaveText('Failed to load image');

  await choose(page, await aPicture(page, 1600, 800));
  const dialog = page.getByRole('dialog', { name: 'Crop photo' });
  const frame = dialog.getByRole('application');
  await expect(frame).toBeFocused();
  const shown = () => dialog.locator('img').getAttribute('style');
  const atFirst = await shown();
  const box = (await frame.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  await page.mouse.up();
  await expect.poll(shown).not.toBe(atFirst);
  const dragged = await shown();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(shown).not.toBe(dragged);
  await page.mouse.wheel(0, -300);
  await expect(dialog.getByRole('slider', { name: 'Zoom' })).not.toHaveValue('1');
  await dialog.getByRole('slider', { name: 'Zoom' }).fill('4');
  // A quarter of 800 pixels is just enough.
  await expect(dialog.getByText(/smaller than 200x200/)).toHaveCount(0);
  expect(await axeViolations(page)).toEqual([]);
  const uploaded = answered(page, 'POST', /^\/api\/media\/images$/);
  await dialog.getByRole('button', { name: 'Use photo' }).click();
  const { id, url } = (await (await uploaded).json()) as { id: string; url: string };
  const address = `/media/${id}/avatar`;
  await expect(page.getByRole('button', { name: 'Change photo' })).toBeFocused();
  await expect.poll(() => picturesOf(page.getByRole('group', { name: 'Profile photo' }))).toEqual([url]);
  expect(await picturesOf(banner)).toEqual([]);
  // Nobody else sees it before it is saved.
  expect((await page.request.get(address)).status()).toBe(404);
  expect(await axeViolations(page)).toEqual([]);

  // Saved, it is in the header, on the profile and on the post at once.
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.poll(() => picturesOf(banner)).toEqual([address]);
  await expect.poll(() => picturesOf(page.getByRole('article'))).toEqual([address]);
  const other = await (await browser.newContext()).newPage();
  const otherName = uniqueName('looker');
  await aPerson(other, otherName);
  await logIn(other, `${otherName}@example.test`);
  await other.goto(`/${name}`);
  await expect(other.getByText(`Written by ${name}`)).toBeVisible();
  await expect.poll(() => picturesOf(other.getByRole('main'))).toEqual([address, address]);

  // Rule: MEDIA-22
  // What is not there to see any more leaves the initial.
  await other.route(`**${address}`, (route) => route.fulfill({ status: 404 }));
  await other.reload();
  await expect(other.getByText(`Written by ${name}`)).toBeVisible();
  await expect(other.locator('main img')).toHaveCount(0);
  await expect(other.locator('main [data-letter=P]')).toHaveCount(2);
  await other.context().close();

  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(banner.locator('[data-letter=P]')).toHaveCount(1);
  await expect.poll(() => picturesOf(page.getByRole('article'))).toEqual([]);
});
