import { type Page, expect, test } from '@playwright/test';
import { aPerson, logIn, signUp, uniqueName } from './support.js';

const SIGNED_OUT = 'You have been signed out. Please sign in again.';

/**
 * Ends the page's session as another device would; resolves when the gateway refuses the page's access token, too.
 */
async function endSessionElsewhere(page: Page): Promise<void> {
  const reading = page.waitForRequest((request) => request.headers()['authorization'] !== undefined);
  await page.getByRole('link', { name: 'Pulso home' }).first().click();
  const authorization = (await reading).headers()['authorization'] ?? '';
  expect((await page.request.post('/api/auth/logout')).status()).toBe(204);
  const me = () => page.request.get('/api/me', { headers: { authorization } });
  await expect.poll(async () => (await me()).status()).toBe(401);
}

test('an unsent post survives a session ended elsewhere, and other users do not see it', async ({ page }) => {
  const [ana, ben] = [uniqueName('ana'), uniqueName('ben')];
  await aPerson(page, ben);
  await signUp(page, ana);
  await page.goto('/coaches');
  await endSessionElsewhere(page);
  await page.getByLabel('Your post').fill('Five sets of five');
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(SIGNED_OUT)).toHaveCount(1);
  await expect(page.getByText(/^Failed to/)).toHaveCount(0);

  const signIn = async (username: string) => {
    await page.getByLabel('Email').fill(`${username}@example.test`);
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(/\/feed$/);
  };
  await signIn(ana);
  await expect(page.getByLabel('Your post')).toHaveValue('Five sets of five');

  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Login' }).first().click();
  await signIn(ben);
  await expect(page.getByLabel('Your post')).toHaveValue('');
});

test('the browser asks before it reloads a page with unsent text', async ({ page }) => {
  const username = uniqueName('ana');
  await aPerson(page, username);
  await logIn(page, `${username}@example.test`);
  await page.getByLabel('Your post').fill('Five sets of five');
  const asked = page.waitForEvent('dialog');
  const reloading = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await reloading;
  await expect(page.getByLabel('Your post')).toHaveValue('');
});
