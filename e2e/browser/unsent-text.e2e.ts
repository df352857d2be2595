import { type Page, expect, test } from '@playwright/test';
import { aPerson, logIn, signUp, uniqueName } from './support.js';

const SIGNED_OUT = 'You have been signed out. Please sign in again.';

/** Signs in on the log-in page, which leads to the feed. */
async function signIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('Email').fill(`${username}@example.test`);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/feed$/);
}

test('an open page tells at once of a session ended elsewhere, and keeps the unsent post', async ({
  page,
}) => {
  const ana = uniqueName('ana');
  await signUp(page, ana);
  // Left first: the stream that is waited for is that of the next page.
  await page.goto('about:blank');
  const stream = page.waitForRequest('**/api/events');
  await page.goto('/coaches');
  await page.getByRole('link', { name: 'Pulso home' }).first().click();
  await page.getByLabel('Your post').fill('Five sets of five');
  await stream;
  expect((await page.request.post('/api/auth/logout')).status()).toBe(204);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(SIGNED_OUT)).toHaveCount(1);
  await signIn(page, ana);
  await expect(page.getByLabel('Your post')).toHaveValue('Five sets of five');
});

test('an unsent post survives a session ended elsewhere, and other users do not see it', async ({ page }) => {
  const [ana, ben] = [uniqueName('ana'), uniqueName('ben')];
  await aPerson(page, ben);
  let authorization = '';
  page.on('request', (request) => (authorization = request.headers()['authorization'] ?? authorization));
  await signUp(page, ana);
  await page.getByLabel('Your post').fill('Five sets of five');
  // A page whose reads get no answer learns of the ended session from the next write.
  await page.route(/\/api\//, (route) => {
    const isRead = route.request().method() === 'GET';
    return isRead ? route.abort() : route.continue();
  });
  expect((await page.request.post('/api/auth/logout')).status()).toBe(204);
  const me = () => page.request.get('/api/me', { headers: { authorization } });
  await expect.poll(async () => (await me()).status()).toBe(401);
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(SIGNED_OUT)).toHaveCount(1);
  await expect(page.getByText(/^Failed to/)).toHaveCount(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await signIn(page, ana);
  await expect(page.getByLabel('Your post')).toHaveValue('Five sets of five');

  await page.getByRole('button', { name: /Account of/ }).click();
  const logout = page.getByRole('menuitem', { name: 'Logout' });
  const asked = page.getByRole('alertdialog', { name: 'Log out?' });
  await logout.click();
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: /Account of/ })).toBeFocused();
  await expect(page.getByLabel('Your post')).toHaveValue('Five sets of five');
  await page.getByRole('button', { name: /Account of/ }).click();
  await logout.click();
  await asked.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Login' }).first().click();
  await signIn(page, ben);
  await expect(page.getByLabel('Your post')).toHaveValue('');
});

// Rule: UI-41
test('a log-out on a phone asks before it deletes an unsent post', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page, uniqueName('ana'));
  await page.getByRole('button', { name: 'New post' }).first().click();
  await page.getByLabel('Your post').fill('Five sets of five');
  await page.keyboard.press('Escape');
  const logOut = async (answer: 'Cancel' | 'Logout') => {
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Log out?' });
    await asked.getByRole('button', { name: answer }).click();
    await expect(asked).toHaveCount(0);
  };
  await logOut('Cancel');
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();
  await expect(page).toHaveURL(/\/feed$/);
  await logOut('Logout');
  await expect(page).toHaveURL(/\/$/);
});

// Rule: UI-41
test('the browser asks before it reloads a page with unsent text, which is there again', async ({ page }) => {
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
  await expect(page.getByLabel('Your post')).toHaveValue('Five sets of five');
});
