import { type Page, expect, test } from '@playwright/test';
import { settled, signUp, uniqueName } from './support.js';

/** The names of the buttons and links filled with the accent colour. */
const accented = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.background = 'var(--mantine-primary-color-filled)';
    const accent = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll('a, button')]
      .filter((element) => getComputedStyle(element).backgroundColor === accent)
      .map((element) => element.textContent);
  })()`);

async function headerPlaces(page: Page): Promise<number[]> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const header = page.getByRole('banner');
  const entries = [
    header.getByRole('link', { name: 'Feed', exact: true }),
    header.getByRole('link', { name: 'Coaches', exact: true }),
  ];
  return Promise.all(entries.map(async (entry) => (await entry.boundingBox())!.x));
}

// Rule: ACCT-25, UI-7
test('the header does not change while the session is restored; its tools come when code that failed loads', async ({
  page,
}) => {
  await signUp(page, uniqueName('still'));
  let letThrough: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route('**/api/auth/refresh', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/coaches');
  await expect(page.getByRole('heading', { name: 'Fitness Coaches' })).toBeVisible();
  // The letters' widths move the entries once, when the font has come.
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const before = await headerPlaces(page);
  letThrough();
  await expect(page.getByRole('button', { name: /Account of/ })).toBeVisible();
  expect(await headerPlaces(page)).toEqual(before);

  await page.route('**/assets/members-*.js', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('This did not load.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Coaches' })).toBeVisible();
  expect(await headerPlaces(page)).toEqual(before);
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search coaches')).toBeFocused();
  await page.unroute('**/assets/members-*.js');
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await expect(page.getByRole('button', { name: /Account of/ })).toBeVisible();
  await expect(page.getByText('This did not load.')).toHaveCount(0);
});

// Rule: UI-3, UI-7
test('a visitor finds Feed, which leads to the login', async ({ page }) => {
  await page.goto('/coaches');
  await page.getByRole('link', { name: 'Feed', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  // The URL changes before the page is rendered, which then closes the menu.
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('link', { name: 'Feed', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('a visitor sees one accented button on a screen', async ({ page }) => {
  const screens = {
    '/': 'Join Pulso',
    '/login': 'Sign in',
    '/signup': 'Create account',
    '/sarah-moreno': 'Subscribe',
  };
  for (const [path, action] of Object.entries(screens)) {
    await settled(page, path, page.getByRole('main').getByText(action, { exact: true }).first());
    expect({ path, accented: await accented(page) }).toEqual({ path, accented: [action] });
  }
});

test('a page whose code and style failed to load can be retried in place, and then looks right', async ({
  page,
}) => {
  await settled(page, '/', page.getByRole('heading', { level: 1 }));
  await page.route('**/assets/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Coaches', exact: true }).click();
  await expect(page.getByText('This did not load.')).toBeVisible();
  await page.unroute('**/assets/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  const list = page.getByRole('list', { name: 'Coaches' });
  await expect(list).toBeVisible();
  await expect(list).toHaveCSS('list-style-type', 'none');
});

// Rule: UI-36
test('Back on a phone closes what covers the page first, and then leaves the page', async ({ page }) => {
  await signUp(page, uniqueName('back'));
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page, '/coaches', page.getByRole('list', { name: 'Coaches' }));
  const dialog = page.getByRole('dialog');
  const inItsEntry = () => page.evaluate<boolean>('Boolean(history.state?.usr?.dialog)');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect.poll(inItsEntry).toBe(true);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect.poll(inItsEntry).toBe(true);
  await page.goBack();
  await expect(page.locator('#mobile-panel')).toHaveCount(0);
  await expect(page).toHaveURL(/\/coaches$/);

  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Feed', exact: true }).click();
  await page.locator('[data-publisher]').click();
  await expect(dialog).toBeVisible();
  await expect.poll(inItsEntry).toBe(true);
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/feed$/);

  await page.goForward();
  await expect.poll(inItsEntry).toBe(false);
  await expect(dialog).toBeHidden();

  await page.locator('[data-publisher]').click();
  await expect.poll(inItsEntry).toBe(true);
  await page.reload();
  await expect(page.locator('[data-publisher]')).toBeVisible();
  await expect.poll(inItsEntry).toBe(false);

  await page.locator('[data-publisher]').click();
  await expect.poll(inItsEntry).toBe(true);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(inItsEntry).toBe(false);
  await page.goBack();
  await expect(page).toHaveURL(/\/coaches$/);
});
