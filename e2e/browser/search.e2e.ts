import { type Page, expect, test } from '@playwright/test';
import { account, aPerson, settled, signUp, uniqueName } from './support.js';

const field = (page: Page) => page.getByRole('combobox', { name: 'Name or username' });
const options = (page: Page) => page.getByRole('option');
const aPost = (page: Page) => page.getByRole('article').first();

// Rule: UI-55, PEOPLE-17
test('finds a member from any page by / and opens the profile by keyboard', async ({ page }) => {
  const name = uniqueName('zoila');
  await aPerson(page, name, false, { name: `Zóila ${name}` });
  await aPerson(page, `${name}-2`, true, { name: `Zóila ${name}` });
  await signUp(page, uniqueName('seeker'));
  await settled(page, '/sarah-moreno', account(page), aPost(page));
  const link = page.getByRole('banner').getByRole('link', { name: 'Coaches', exact: true });
  await link.focus();
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(`zoila ${name}`.toUpperCase());
  await expect(options(page)).toHaveCount(2);
  await expect(options(page).nth(1)).toContainText('Coach');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(link).toBeFocused();

  await page.keyboard.press('/');
  await expect(field(page)).toHaveValue('');
  await page.keyboard.type(`@${name}`);
  await expect(options(page)).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/${name}$`));
  await expect(page.getByRole('heading', { name: `Zóila ${name}` })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

// Rule: UI-55
test('begins with what is typed while its code is loading, and no key is a shortcut', async ({ page }) => {
  await signUp(page, uniqueName('seeker'));
  const likes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/like')) likes.push(request.method());
  });
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/assets/search-dialog-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('/');
  await page.keyboard.type('lola n');
  letGo();
  await expect(field(page)).toHaveValue('lola n');
  await expect(field(page)).toBeFocused();
  expect(likes).toEqual([]);
});

// Rule: UI-55
test('says that there is no network, and finds again when it is back', async ({ page, context }) => {
  const name = uniqueName('offline');
  await aPerson(page, name);
  await signUp(page, uniqueName('seeker'));
  await page.getByRole('button', { name: 'Search people' }).click();
  await expect(field(page)).toBeFocused();
  await context.setOffline(true);
  await field(page).fill(name);
  const dialog = page.getByRole('dialog', { name: 'Search people' });
  await expect(dialog.getByText('You seem to be offline.')).toBeVisible();
  await context.setOffline(false);
  await expect(options(page)).toHaveCount(1);
});

// Rule: UI-55, UI-36
test('fills a phone’s screen, where Back closes it and leads back from the person', async ({ page }) => {
  const name = uniqueName('phone');
  await aPerson(page, name);
  await signUp(page, uniqueName('seeker'));
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page, '/feed', aPost(page));
  const search = page.getByRole('button', { name: 'Search people' });
  const inItsEntry = () => page.evaluate<boolean>('Boolean(history.state?.usr?.dialog)');
  await search.click();
  await expect.poll(inItsEntry).toBe(true);
  const box = (await page.getByRole('dialog').boundingBox())!;
  expect([box.x, box.y, box.width]).toEqual([0, 0, 390]);
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(search).toBeFocused();

  await search.click();
  await expect.poll(inItsEntry).toBe(true);
  await field(page).fill(name);
  await options(page).first().click();
  await expect(page).toHaveURL(new RegExp(`/${name}$`));
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/feed$/);
  await expect.poll(inItsEntry).toBe(false);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

// Rule: UI-55
test('/ leads to the directory’s own field on its page, and visitors there from everywhere', async ({
  page,
}) => {
  await settled(page, '/sarah-moreno', aPost(page));
  await expect(page.getByRole('button', { name: 'Search people' })).toHaveCount(0);
  await page.keyboard.press('/');
  await expect(page).toHaveURL(/\/coaches$/);
  await expect(page.getByLabel('Search coaches')).toBeFocused();

  await signUp(page, uniqueName('seeker'));
  await settled(page, '/coaches', account(page), page.getByRole('list', { name: 'Coaches' }));
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search coaches')).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
