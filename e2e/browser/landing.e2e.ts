import { type Page, expect, test } from '@playwright/test';
import { axeViolations, settled } from './support.js';

const POSTER = /\/assets\/hero-[^/]+\.webp$/;
const FILM = /\/assets\/hero-[^/]+\.(webm|mp4)$/;

const playButton = (page: Page) => page.getByRole('button', { name: 'Play the video' });

/** Collects the URLs of the films that the page requests from now on. */
function filmsAskedFor(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (FILM.test(request.url())) asked.push(request.url());
  });
  return asked;
}

const isPaused = (page: Page) => page.evaluate<boolean>("document.querySelector('video').paused");
const positionOf = (page: Page) => page.evaluate<number>("document.querySelector('video')?.currentTime ?? 0");

test.describe('without reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  for (const colorScheme of ['light', 'dark'] as const) {
    // Rule: UI-12
    test(`the ${colorScheme} film runs by itself, is paused and resumed by keyboard, and has no axe violation`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme });
      const asked = filmsAskedFor(page);
      await page.goto('/');
      await expect.poll(() => positionOf(page)).toBeGreaterThan(0);
      expect(asked.every((url) => url.includes(`hero-${colorScheme}`))).toBe(true);

      await page.getByRole('button', { name: 'Pause the video' }).press('Enter');
      const play = page.getByRole('button', { name: 'Play the video' });
      await expect(play).toBeFocused();
      expect(await isPaused(page)).toBe(true);
      expect(await axeViolations(page)).toEqual([]);
      expect(await isPaused(page)).toBe(true);
      const stoppedAt = await positionOf(page);
      await play.press('Enter');
      await expect.poll(() => positionOf(page)).not.toBe(stoppedAt);
    });
  }

  // Rule: UI-10
  test('a theme chosen on the page switches the film; a paused film stays paused', async ({ page }) => {
    const asked = filmsAskedFor(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Pause the video' }).click();
    const poster = page.waitForResponse(/\/assets\/hero-dark-[^/]+\.webp$/);
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await expect(page.locator('video[poster*="hero-dark"]')).toBeVisible();
    await poster;
    await expect(page.getByRole('button', { name: 'Play the video' })).toBeVisible();
    expect(await isPaused(page)).toBe(true);
    expect(asked.filter((url) => url.includes('hero-dark'))).toEqual([]);
  });

  for (const connection of [{ saveData: true }, { effectiveType: '3g' }]) {
    // Rule: UI-12
    test(`no film is fetched where the connection is ${JSON.stringify(connection)}`, async ({ page }) => {
      await page.addInitScript(
        `Object.defineProperty(navigator, 'connection', { value: ${JSON.stringify(connection)} })`,
      );
      const asked = filmsAskedFor(page);
      const poster = page.waitForResponse(POSTER);
      await settled(page, '/', playButton(page));
      await poster;
      expect(asked).toEqual([]);
    });
  }

  test('the film stops when reduced motion is switched on', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Pause the video' })).toBeVisible();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect(page.getByRole('button', { name: 'Play the video' })).toBeVisible();
  });
});

// Rule: UI-12
test('with reduced motion only the poster is fetched, until the visitor plays the film', async ({ page }) => {
  const asked = filmsAskedFor(page);
  const poster = page.waitForResponse(POSTER);
  await settled(page, '/', playButton(page));
  expect((await (await poster).body()).length).toBeLessThanOrEqual(60 * 1024);
  expect(asked).toEqual([]);
  await page.getByRole('button', { name: 'Play the video' }).click();
  await expect.poll(() => positionOf(page)).toBeGreaterThan(0);
  expect(asked.length).toBeGreaterThan(0);
});

// Rule: UI-12
test('both formats of the film are small and support range requests, which Safari needs', async ({
  page,
}) => {
  await settled(page, '/', playButton(page));
  const sources = await page.evaluate<string[]>(
    "[...document.querySelectorAll('video source')].map((source) => source.src)",
  );
  expect(sources).toHaveLength(2);
  for (const url of sources) {
    const whole = await page.request.get(url);
    expect(whole.headers()['content-type']).toMatch(/^video\/(webm|mp4)$/);
    expect((await whole.body()).length).toBeLessThanOrEqual(1024 * 1024);
    const part = await page.request.get(url, { headers: { range: 'bytes=0-1' } });
    expect(part.status()).toBe(206);
    expect(part.headers()['content-range']).toMatch(/^bytes 0-1\//);
  }
});

// Rule: UI-11
test('shows coaches and a post, whose code is loaded when they come near', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await settled(page, '/', playButton(page));
  const early = scripts.length;
  await page.getByRole('heading', { name: 'How It Works' }).scrollIntoViewIfNeeded();
  const inside = page.getByRole('region', { name: 'Who you will meet' });
  await expect(inside.getByRole('list', { name: 'Some of the coaches' }).locator(':scope > li')).toHaveCount(
    3,
  );
  await expect(inside.getByRole('article')).toBeVisible();
  // What the server has rendered is seen before its code is there.
  await expect.poll(() => scripts.length).toBeGreaterThan(early);
  expect(await axeViolations(page)).toEqual([]);
});

// Rule: UI-68
test('reads its coaches again after Back, which brings the document as it was kept', async ({ page }) => {
  await page.goto('/');
  await page.goto('/coaches');
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/coaches');
  await page.goBack();
  await page.getByRole('heading', { name: 'How It Works' }).scrollIntoViewIfNeeded();
  await asked;
  await expect(page.getByRole('list', { name: 'Some of the coaches' })).toBeVisible();
});
