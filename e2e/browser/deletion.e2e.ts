import { expect, type Page, test } from '@playwright/test';
import {
  PASSWORD,
  account,
  axeViolationsOfThemes,
  fitsWidth,
  settled,
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
