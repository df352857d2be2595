import { type Page, expect, test } from '@playwright/test';
import {
  account,
  aPerson,
  axeViolations,
  logIn,
  publish,
  saved,
  settled,
  signUp,
  uniqueName,
} from './support.js';

const aPost = (page: Page) => page.getByRole('article').first();
const left = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!.x;

// Rule: UI-49
test('every page has the same edges, and those of the header', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await settled(page, '/coaches', page.getByRole('list', { name: 'Coaches' }));
  const edge = await left(page, 'header a');
  expect(await left(page, 'main h1')).toBe(edge);
  await settled(page, '/', page.getByRole('heading', { level: 1 }));
  expect(await left(page, 'main section.card')).toBe(edge);
  await settled(page, '/sarah-moreno', aPost(page));
  expect(await left(page, 'main section.card')).toBe(edge);
  const post = (await aPost(page).locator('a:has(time)').getAttribute('href'))!;
  await settled(page, post, aPost(page));
  expect(await left(page, 'main article')).toBe(edge);
  await logIn(page, 'alex@demo.pulso.fit', 'pulso-demo');
  for (const path of ['/feed', '/profile']) {
    await settled(page, path, account(page), aPost(page));
    expect({ path, at: await left(page, 'main section.card') }).toEqual({ path, at: edge });
  }
  await settled(page, '/messages', account(page), page.getByRole('heading', { name: 'Messages' }));
  expect(await left(page, 'main > *')).toBe(edge);
});

// Rule: UI-50
test('beside the page are the viewer, coaches whom they do not follow yet, and the site’s links', async ({
  page,
}) => {
  const coach = uniqueName('aaa-coach');
  await aPerson(page, coach, true);
  await signUp(page, uniqueName('fan'));
  const side = page.getByRole('complementary');
  const coaches = side.getByRole('region', { name: 'Coaches to follow' });
  await expect(coaches.getByRole('listitem')).toHaveCount(3);
  const name = (await coaches.getByRole('listitem').first().getByRole('link').textContent())!;
  const follow = coaches.getByRole('button', { name: /^Follow / }).first();
  const followed = (await follow.getAttribute('aria-label'))!.replace('Follow ', '');
  expect(name).toContain(followed);
  await saved(page, 'PUT', /\/follow$/, () => follow.click());
  await expect(coaches.getByRole('button', { name: `Following ${followed}`, exact: true })).toBeVisible();
  await expect(side.locator('dl')).toContainText('Following1');
  expect(await axeViolations(page)).toEqual([]);
  await page.reload();
  await expect(coaches.getByRole('listitem')).toHaveCount(3);
  await expect(coaches.getByRole('button', { name: `Follow ${followed}`, exact: true })).toHaveCount(0);
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect(side).toHaveCount(0);
});

// Rule: UI-49
test('phones have a bar at the bottom, out of the way of the page’s end and of the keyboard', async ({
  page,
}) => {
  await signUp(page, uniqueName('thumb'));
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.getByRole('navigation', { name: 'Quick access' });
  await bar.getByRole('link', { name: 'Coaches' }).click();
  await expect(page).toHaveURL(/\/coaches$/);
  // The menu opens over the page, which does not move.
  const list = page.getByRole('list', { name: 'Coaches' });
  await expect(list).toBeVisible();
  const atRest = [await left(page, 'main h1'), (await list.boundingBox())!.y];
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect([await left(page, 'main h1'), (await list.boundingBox())!.y]).toEqual(atRest);
  await page.getByRole('button', { name: 'Close menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  for (const place of await bar.locator('a, button').all()) {
    const box = (await place.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
  }
  await page.getByLabel('Search coaches').focus();
  await expect(bar).toBeHidden();
  await page.getByLabel('Search coaches').blur();
  await bar.getByRole('button', { name: 'New post' }).click();
  await expect(page.getByRole('dialog', { name: 'New post' }).getByLabel('Your post')).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
});

// Rule: UI-51
test('on a phone Post is in the head and the foot above the keyboard, however long the text', async ({
  page,
}) => {
  await signUp(page, uniqueName('writer'), { coach: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('[data-publisher]').click();
  const dialog = page.getByRole('dialog', { name: 'New post' });
  await dialog.getByLabel('Your post').fill('One more line\n'.repeat(60));
  // What a keyboard leaves of the window.
  await page.setViewportSize({ width: 390, height: 500 });
  await expect(dialog.getByRole('button', { name: 'Post', exact: true })).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByText('Subscribers only')).toBeInViewport({ ratio: 1 });
  expect(await axeViolations(page)).toEqual([]);
});

// Rule: UI-51
test('the publisher is one line until it is used; a post of one line is low', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const author = uniqueName('brief');
  await signUp(page, author, { coach: true });
  const publisher = page.getByRole('region', { name: 'New post' });
  const height = async () => (await publisher.boundingBox())!.height;
  await expect.poll(height).toBeLessThanOrEqual(64);
  await page.getByLabel('Your post').click();
  await expect(publisher.getByText('Subscribers only')).toBeVisible();
  await publisher.getByText('Subscribers only').click();
  await expect(publisher.getByRole('radio', { name: 'Subscribers only' })).toBeChecked();
  await page.getByRole('heading', { name: 'Social Feed' }).click();
  await expect.poll(height).toBeLessThanOrEqual(64);

  for (const text of ['One', 'Two', 'Three', 'Four']) await publish(page, `${text} ${author}`);
  // Folded, with the focus in its field.
  await expect.poll(height).toBeLessThanOrEqual(64);
  await expect(page.getByLabel('Your post')).toBeFocused();

  // What is pressed below the open publisher stays under the finger until it is let go.
  await page.getByLabel('Your post').click();
  await expect.poll(height).toBeGreaterThan(64);
  const like = aPost(page).getByRole('button', { name: 'Like', exact: true });
  const before = (await like.boundingBox())!;
  await page.mouse.move(before.x + 10, before.y + 10);
  await page.mouse.down();
  expect(await like.boundingBox()).toEqual(before);
  await page.mouse.up();
  await expect(aPost(page).getByRole('button', { name: /^Liked/ })).toBeVisible();
  await expect.poll(height).toBeLessThanOrEqual(64);

  await settled(page, '/feed', account(page), aPost(page));
  const own = page.getByRole('article').filter({ hasText: author });
  await expect(own).toHaveCount(4);
  for (const post of await own.all()) expect((await post.boundingBox())!.height).toBeLessThanOrEqual(128);
  const whole = await page.evaluate<number>(
    "[...document.querySelectorAll('article')].filter((post) => post.getBoundingClientRect().bottom <= innerHeight).length",
  );
  expect(whole).toBeGreaterThanOrEqual(4);
});
