import { type Browser, type Locator, type Page, expect, test } from '@playwright/test';
import { anAuthenticator } from './authenticator.js';
import {
  PASSWORD,
  account,
  axeViolationsOfThemes,
  fitsWidth,
  logIn,
  settled,
  signUp,
  uniqueName,
} from './support.js';

const NEW_PASSWORD = 'another horse';

const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name });
const passkeys = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

async function hasNoViolations(page: Page): Promise<void> {
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  if (page.viewportSize()!.width < 768) await fitsWidth(page);
}

/** A visitor's login, before which the session of the page has ended without a word. */
async function openLogIn(page: Page): Promise<void> {
  await page.context().clearCookies();
  await settled(page, '/login', button(page, 'Sign in with a passkey'));
}

const openSettings = (page: Page, ...shown: Locator[]) => settled(page, '/settings', account(page), ...shown);

async function reachesFeed(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/feed$/);
  await expect(account(page)).toBeVisible();
}

// Rule: ACCT-43, UI-75
test('a passkey is added, signs in, stands in for the password, and is removed', async ({ page }) => {
  test.setTimeout(300_000);
  const username = uniqueName('pia');
  const device = await anAuthenticator(page);

  await test.step('it is added in the settings, with the current password, and renamed', async () => {
    await signUp(page, username);
    await openSettings(page, page.getByText('You have no passkeys yet.'));
    await button(page, 'Add a passkey').click();
    await hasNoViolations(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Laptop');
    await page.getByLabel('Current password').fill('not the password');
    await button(page, 'Create passkey').click();
    await expect(page.getByText('This is not your current password')).toBeVisible();
    await device.answers(true);
    await page.getByLabel('Current password').fill(PASSWORD);
    await button(page, 'Create passkey').click();
    await expect(passkeys(page)).toHaveCount(1);
    await expect(passkeys(page)).toContainText('Never used');
    expect(await device.count()).toBe(1);
    await button(page, 'Rename Laptop').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Old laptop');
    await button(page, 'Save name').click();
    await expect(button(page, 'Rename Old laptop')).toBeFocused();
    await hasNoViolations(page);
  });

  await test.step('the device makes no second one of the account', async () => {
    await button(page, 'Add a passkey').click();
    await page.getByLabel('Current password').fill(PASSWORD);
    await button(page, 'Create passkey').click();
    await expect(page.getByText('This device has a passkey of your account already.')).toBeVisible();
    await button(page, 'Cancel').click();
  });

  await test.step('it signs in by the button', async () => {
    await device.answers(false);
    await openLogIn(page);
    await hasNoViolations(page);
    await device.answers(true);
    await button(page, 'Sign in with a passkey').click();
    await reachesFeed(page);
  });

  await test.step('it signs in where the browser offers it, without a press', async () => {
    await page.context().clearCookies();
    await page.goto('/login');
    await reachesFeed(page);
  });

  await test.step('it stands in for the current password', async () => {
    await openSettings(page, passkeys(page).first());
    await expect(passkeys(page)).toContainText('Last used');
    await button(page, 'Change password').click();
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
    await button(page, 'Use a passkey instead').click();
    await expect(page.getByText('Confirmed with your passkey.')).toBeVisible();
    await expect(button(page, 'Save password')).toBeFocused();
    await hasNoViolations(page);
    await button(page, 'Save password').click();
    await expect(button(page, 'Change password')).toBeFocused();
    await page.context().clearCookies();
    await logIn(page, `${username}@example.test`, NEW_PASSWORD);
  });

  await test.step('it signs in no more when it is removed', async () => {
    await openSettings(page, passkeys(page).first());
    await button(page, 'Remove Old laptop').click();
    const question = page.getByRole('alertdialog', { name: 'Remove this passkey?' });
    await button(question, 'Remove').click();
    await expect(page.getByText('You have no passkeys yet.')).toBeVisible();
    await device.answers(false);
    await openLogIn(page);
    await device.answers(true);
    await button(page, 'Sign in with a passkey').click();
    await expect(page.getByRole('alert')).toContainText('Failed to sign in with this passkey.');
    // The device goes on offering it.
    await device.answers(false);
    await hasNoViolations(page);
  });
});

async function aPhone(browser: Browser, baseURL: string): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  return (await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce' })).newPage();
}

// Rule: UI-75
test('on a phone the passkeys and their forms fit, and a request that the user lets go leaves the page as it was', async ({
  browser,
  baseURL,
}) => {
  const phone = await aPhone(browser, baseURL!);
  const device = await anAuthenticator(phone);
  await device.answers(true);
  await signUp(phone, uniqueName('paul'));
  await settled(phone, '/settings', button(phone, 'Add a passkey'));
  await button(phone, 'Add a passkey').click();
  await phone.getByRole('textbox', { name: 'Name' }).fill('A phone with quite a long name of its own');
  await phone.getByLabel('Current password').fill(PASSWORD);
  await hasNoViolations(phone);
  await button(phone, 'Create passkey').click();
  await expect(passkeys(phone)).toHaveCount(1);
  await hasNoViolations(phone);
  await button(phone, /^Rename /).click();
  await hasNoViolations(phone);
  await device.answers(false);
  await openLogIn(phone);
  await hasNoViolations(phone);
  await button(phone, 'Sign in with a passkey').click();
  await expect(button(phone, 'Waiting for your passkey...')).toBeVisible();
  await phone.getByRole('link', { name: 'Create a new account' }).click();
  await expect(phone).toHaveURL(/\/signup$/);
  await phone.context().close();
});
