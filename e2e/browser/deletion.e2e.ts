import { expect, type Page, test } from '@playwright/test';
import { anAuthenticator } from './authenticator.js';
import {
  PASSWORD,
  account,
  axeViolationsOfThemes,
  fitsWidth,
  settled,
  signUp,
  signUpOnPage,
  uniqueName,
} from './support.js';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

// Rule: UI-76, ACCT-32, ACCT-33
test('an account is deleted by its username, typed, and its password, in all tabs', async ({
  page,
  context,
}) => {
  const username = uniqueName('gone');
  await signUpOnPage(page, username);
  await settled(page, '/settings', account(page), button(page, 'Delete account'));
  const other = await context.newPage();
  await settled(other, '/settings', account(other));

  await button(page, 'Delete account').click();
  const field = page.getByLabel(`Type ${username} to confirm`);
  await expect(field).toBeFocused();
  await expect(page.getByRole('heading', { name: 'What stays' })).toBeVisible();
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await button(page, 'Delete my account for good').click();
  await expect(page.getByText('Current password is required')).toBeVisible();
  await field.fill(username);
  await page.getByLabel('Current password').fill('something else');
  await button(page, 'Delete my account for good').click();
  await expect(page.getByText('This is not your current password')).toBeVisible();
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await fitsWidth(page);
  await page.setViewportSize(size);

  await page.getByLabel('Current password').fill(PASSWORD);
  await button(page, 'Delete my account for good').click();
  await expect(page.getByText('Your account is deleted.')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(account(other)).toHaveCount(0);

  await page.goto('/login');
  await page.getByLabel('Email').fill(`${username}@example.test`);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await button(page, 'Sign in').click();
  await expect(page.getByText('Failed to log in. Please check your credentials.')).toBeVisible();
  const profile = await page.request.get(`/api/users/by-username/${username}`);
  expect(profile.status()).toBe(404);
});

// Rule: UI-76, ACCT-43
test('an account is deleted by a passkey in place of its password, and the passkey signs in no more', async ({
  page,
}) => {
  const username = uniqueName('away');
  const device = await anAuthenticator(page);
  await device.answers(true);
  await signUp(page, username);
  await settled(page, '/settings', account(page), button(page, 'Add a passkey'));
  await button(page, 'Add a passkey').click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await button(page, 'Create passkey').click();
  await expect(page.getByText('Never used')).toBeVisible();

  await button(page, 'Delete account').click();
  await page.getByLabel(`Type ${username} to confirm`).fill(username);
  await button(page, 'Use a passkey instead').click();
  await expect(page.getByText('Confirmed with your passkey.')).toBeVisible();
  await expect(page.getByLabel('Current password')).toHaveCount(0);
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  await button(page, 'Delete my account for good').click();
  await expect(page.getByText('Your account is deleted.')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);

  // The device goes on offering it; a page that asks by itself must not be answered before the press.
  expect(await device.count()).toBe(1);
  await device.answers(false);
  await settled(page, '/login', button(page, 'Sign in with a passkey'));
  await device.answers(true);
  await button(page, 'Sign in with a passkey').click();
  await expect(page.getByRole('alert')).toContainText('Failed to sign in with this passkey.');
});
