import { gzipSync } from 'node:zlib';
import { type Locator, type Page, expect, test } from '@playwright/test';
import { account, axeViolationsOfThemes, fitsWidth, getJson, logIn, saved, settled } from './support.js';

const SUBSCRIPTION = /^\/api\/subscriptions\/[^/]+$/;

const DEMO = { email: 'alex@demo.pulso.fit', password: 'pulso-demo' };

type Shown = (page: Page) => Locator;
const aPost: Shown = (page) => page.getByRole('article').first();
const button =
  (name: string): Shown =>
  (page) =>
    page.getByRole('button', { name, exact: true });
const heading =
  (name: string): Shown =>
  (page) =>
    page.getByRole('heading', { name });
const coaches: Shown = (page) => page.getByRole('list', { name: 'Coaches' });

/** What each page shows once it has its data. */
const PUBLIC_PAGES: Record<string, Shown> = {
  '/': (page) => page.getByRole('heading', { level: 1 }),
  '/login': button('Sign in'),
  '/signup': button('Create account'),
  '/sarah-moreno': aPost,
  '/alex-rivera': aPost,
  '/coaches': coaches,
  '/coaches?q=nobody-teaches-this': (page) => page.getByText('No coach matches this search.'),
  '/coaches/01890000-0000-7000-8000-000000000000': heading('Coach Not Found'),
  '/nobody-of-that-name': heading('User Not Found'),
  '/no/such/path': (page) => page.getByText('404 - Page Not Found'),
  '/forgot-password': button('Send link'),
  '/reset-password': (page) => page.getByText('This link does not work any more.'),
  '/reset-password?token=AAAA': button('Set password'),
  '/verify-email': (page) => page.getByText('This link does not work any more.'),
  '/verify-email?token=AAAA': button('Verify email address'),
  '/unsubscribe': (page) => page.getByText('This link is not valid.'),
  '/unsubscribe?token=subscriptions.AAAAAAAAAAAAAAAAAAAAAA': button('Unsubscribe'),
};
const MEMBER_PAGES: Record<string, Shown> = {
  '/feed': aPost,
  '/profile': aPost,
  '/mike-okafor': aPost,
  '/coaches': coaches,
  '/messages': heading('Messages'),
  '/subscriptions': heading('My Subscriptions'),
  '/settings': (page) => page.getByText('This device'),
};

/** Its widths, of a desk and of a phone, and its themes. */
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

/** What axe finds on the page as it is, at `sizes` in both themes; the page is not loaded again for it. */
async function violations(page: Page, sizes = [WIDE, NARROW]): Promise<string[]> {
  const found: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const line of await axeViolationsOfThemes(page)) found.push(`${size.width}, ${line}`);
  }
  await page.setViewportSize(sizes[0]!);
  return found;
}

test('a visitor’s pages have no axe violation', async ({ page }) => {
  for (const [path, shown] of Object.entries(PUBLIC_PAGES)) {
    await settled(page, path, shown(page));
    expect({ path, violations: await violations(page) }).toEqual({ path, violations: [] });
  }
});

// Rule: UI-46
test('a member’s pages, menus and dialogs have no axe violation', async ({ page }) => {
  await logIn(page, DEMO.email, DEMO.password);
  for (const [path, shown] of Object.entries(MEMBER_PAGES)) {
    await settled(page, path, account(page), shown(page));
    expect({ path, violations: await violations(page) }).toEqual({ path, violations: [] });
  }
  await settled(page, '/feed', account(page), aPost(page));
  const own = page.getByRole('article').filter({ hasText: 'Banana and coffee' });
  const postPath = await own
    .getByRole('link')
    .filter({ has: page.locator('time') })
    .getAttribute('href');
  await own.getByRole('button', { name: 'Post menu' }).click();
  await expect(page.getByRole('menuitem', { name: 'Edit post' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'Edit post' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await settled(page, postPath!, account(page), aPost(page));
  expect(await violations(page)).toEqual([]);
});

// Rule: UI-46, SUBS-23, SUBS-24, SUBS-26
test('subscriptions with their question, and a coach’s dashboard, have no axe violation', async ({
  page,
}) => {
  const subscribers = page.getByLabel('Subscribers', { exact: true });
  await logIn(page, DEMO.email, DEMO.password);
  const { id } = await getJson<{ id: string }>(page, '/api/users/by-username/lucia-fernandez');
  await settled(page, `/coaches/${id}`, account(page), button('Subscribe')(page));
  expect(await violations(page)).toEqual([]);
  await saved(page, 'PUT', SUBSCRIPTION, () => button('Subscribe')(page).click());
  await settled(page, '/subscriptions', account(page), button('Unsubscribe from Lucía Fernández')(page));
  expect(await violations(page)).toEqual([]);
  await button('Unsubscribe from Lucía Fernández')(page).click();
  await expect(page.getByRole('alertdialog', { name: 'Unsubscribe?' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await saved(page, 'DELETE', SUBSCRIPTION, () => page.keyboard.press('Enter'));
  await page.context().clearCookies();
  await logIn(page, 'lucia@demo.pulso.fit', DEMO.password);
  await settled(page, '/dashboard', account(page), subscribers);
  await expect(subscribers.getByRole('row').or(subscribers.getByRole('listitem')).first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsWidth(page);
});

// Rule: UI-46, MSG-12, NOTIF-5
test('a conversation and the bell’s list have no axe violation, on a phone neither', async ({ page }) => {
  await logIn(page, DEMO.email, DEMO.password);
  const { id } = await getJson<{ id: string }>(page, '/api/users/by-username/sarah-moreno');
  await settled(
    page,
    `/messages?with=${id}`,
    account(page),
    page.getByPlaceholder('Message Sarah Moreno...'),
  );
  await page.getByPlaceholder('Message Sarah Moreno...').fill('Is the class still on?');
  await saved(page, 'POST', /^\/api\/messages$/, () => page.keyboard.press('Enter'));
  await expect(page.getByRole('log').getByText('Is the class still on?').first()).toBeVisible();
  await expect(page.getByText('Sending...')).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize(NARROW);
  const back = page.getByRole('button', { name: 'Back to conversations' });
  await expect(back).toBeVisible();
  expect(await violations(page, [NARROW])).toEqual([]);
  await back.click();
  await expect(page.getByRole('list', { name: 'Conversations' })).toBeVisible();
  expect(await violations(page, [NARROW])).toEqual([]);
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('dialog', { name: 'Notifications' }).getByRole('link').first()).toBeVisible();
  expect(await violations(page, [NARROW])).toEqual([]);
});

// Rule: UI-46, UI-55
test('the search has no axe violation, empty, with results and without', async ({ page }) => {
  await logIn(page, DEMO.email, DEMO.password);
  await settled(page, '/feed', account(page), aPost(page));
  await page.keyboard.press('/');
  const field = page.getByLabel('Name or username');
  await expect(field).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await field.fill('sarah');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  expect(await violations(page)).toEqual([]);
  await field.fill('nobody-of-that-name');
  await expect(page.getByText('Nobody found for')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test('a coach’s page with its menu, dialogs, lists and review form has no axe violation', async ({
  page,
}) => {
  await logIn(page, DEMO.email, DEMO.password);
  await settled(page, '/sarah-moreno', account(page), aPost(page));
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await expect(page.getByRole('menuitem', { name: /^Block/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('menuitem', { name: /^Report/ }).click();
  await expect(page.getByRole('dialog', { name: 'Report' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Followers, show the list/ }).click();
  await expect(page.getByRole('dialog', { name: 'Followers' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Reviews' }).click();
  await page.getByRole('button', { name: 'Update Your Review' }).click();
  await page.getByLabel('Your Review').fill('');
  await page.getByRole('button', { name: 'Update Review', exact: true }).click();
  await expect(page.getByText('Please write a comment for your review')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

// Rule: UI-46
test('nothing scrolls sideways at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await logIn(page, DEMO.email, DEMO.password);
  const pages = {
    ...MEMBER_PAGES,
    '/no/such/path': PUBLIC_PAGES['/no/such/path']!,
    '/unsubscribe': PUBLIC_PAGES['/unsubscribe']!,
    '/reset-password?token=AAAA': PUBLIC_PAGES['/reset-password?token=AAAA']!,
  };
  for (const [path, shown] of Object.entries(pages)) {
    await settled(page, path, shown(page));
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect({ path, overflow }).toEqual({ path, overflow: 0 });
  }
});

// Rule: UI-47
test('pages fetch nothing from other origins and keep the script budgets', async ({ page, baseURL }) => {
  const foreign: string[] = [];
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
    if (!request.url().startsWith(baseURL!) && !/^(data|blob):/.test(request.url()))
      foreign.push(request.url());
  });
  const gzipped = async () => {
    const bodies = await Promise.all([...scripts].map(async (url) => (await page.request.get(url)).body()));
    return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  };
  await settled(page, '/', page.getByRole('heading', { level: 1 }));
  expect(await gzipped()).toBeLessThanOrEqual(120 * 1024);
  await logIn(page, DEMO.email, DEMO.password);
  scripts.clear();
  await settled(page, '/feed', account(page), aPost(page));
  expect(scripts.size).toBeGreaterThan(0);
  expect(await gzipped()).toBeLessThanOrEqual(165 * 1024);
  for (const [path, shown] of Object.entries(MEMBER_PAGES)) {
    await settled(page, path, account(page), shown(page));
  }
  await page.context().clearCookies();
  for (const [path, shown] of Object.entries(PUBLIC_PAGES)) await settled(page, path, shown(page));
  expect(foreign).toEqual([]);
});

// Rule: UI-45
test('works by keyboard: j and k move, l likes, ? lists the shortcuts, / and n work from every page', async ({
  page,
}) => {
  await logIn(page, DEMO.email, DEMO.password);
  await settled(page, '/feed', account(page), aPost(page));
  await page.keyboard.press('j');
  await expect(page.getByRole('article').nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByRole('article').nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(page.getByRole('article').nth(0)).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('/');
  await expect(page.getByLabel('Name or username')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('banner').getByRole('link', { name: 'Coaches', exact: true }).click();
  await expect(page.getByLabel('Search coaches')).toBeVisible();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/feed$/);
  await expect(page.getByLabel('Your post')).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Fitness Coaches' })).toBeVisible();
  await expect(page.getByLabel('Search coaches')).not.toBeFocused();
});
