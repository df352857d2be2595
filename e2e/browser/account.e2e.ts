import { type Browser, type Locator, type Page, expect, test } from '@playwright/test';
import {
  PASSWORD,
  account,
  axeViolationsOfThemes,
  fitsWidth,
  logIn,
  logInOnPage,
  settled,
  signUpOnPage,
  uniqueName,
} from './support.js';

interface DevMail {
  subject: string;
  text: string;
}

const NEW_PASSWORD = 'another horse';
const EMAIL_CHANGED = 'Your email address was changed';
/** Mails wait for the relay, the worker's queue and each other. */
const MAIL_MS = 60_000;

async function mailsTo(page: Page, to: string): Promise<DevMail[]> {
  const headers = { accept: 'application/json' };
  const answer = await page.request.get(`/dev/mail?to=${encodeURIComponent(to)}`, { headers });
  expect(answer.status()).toBe(200);
  return (await answer.json()) as DevMail[];
}

/** The newest mail to the address with a link to `path`: the link, as a path with its query. */
async function mailedLink(page: Page, to: string, path: string): Promise<string> {
  const pattern = new RegExp(`https?://[^/\\s]+(${path}\\?token=[\\w.-]+)`);
  const found = async () =>
    (await mailsTo(page, to)).map(({ text }) => pattern.exec(text)?.[1]).find(Boolean);
  let link: string | undefined;
  const message = `a mail to ${to} with a link to ${path}`;
  await expect.poll(async () => (link ??= await found()), { message, timeout: MAIL_MS }).toBeDefined();
  return link!;
}

/** Opens the page of the mails to the address, and there the welcome, whose frame has the link. */
async function openWelcome(page: Page, to: string): Promise<Locator> {
  const mail = page.locator('details').filter({ hasText: 'Welcome to Pulso' });
  const shown = async () => {
    await page.goto(`/dev/mail?to=${encodeURIComponent(to)}`);
    return mail.count();
  };
  await expect.poll(shown, { message: `the welcome of ${to} on the page`, timeout: MAIL_MS }).toBe(1);
  // The newest is open.
  await expect(mail.locator('iframe')).toBeVisible();
  await mail.locator('summary').click();
  await expect(mail.locator('iframe')).toBeHidden();
  await mail.locator('summary').click();
  return mail.frameLocator('iframe').getByRole('link', { name: 'Confirm your email address' });
}

/** A browser of its own: another device, a phone. */
async function aPhone(browser: Browser, baseURL: string): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  return (await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce' })).newPage();
}

async function hasNoViolations(page: Page): Promise<void> {
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  if (page.viewportSize()!.width < 768) await fitsWidth(page);
}

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });
const devices = (page: Page) => page.getByRole('list', { name: 'Devices' }).getByRole('listitem');

/** Opens the mailed link, whose token leaves the address. */
async function follow(page: Page, link: string, ...shown: Locator[]): Promise<void> {
  await settled(page, link, ...shown);
  await expect(page).toHaveURL(link.split('?', 1)[0]!);
}

/** On the login to which the settings have led: they are shown afterwards. */
async function logInAgain(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(devices(page).first()).toBeVisible();
}

/** On the page to which the link has led. */
async function verify(page: Page): Promise<void> {
  await hasNoViolations(page);
  await button(page, 'Verify email address').click();
  await expect(page.getByText('Thank you. Your email address is verified.')).toBeVisible();
  await hasNoViolations(page);
}

// Rule: UI-73, UI-74, ACCT-9, ACCT-10, ACCT-22, ACCT-26, ACCT-27, UI-46
test('an account: verified, its password forgotten and set, a device signed out, password and address changed', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(400_000);
  const username = uniqueName('ana');
  const email = `${username}@example.test`;
  const phone = await aPhone(browser, baseURL!);

  await test.step('the welcome verifies the address', async () => {
    await signUpOnPage(page, username);
    await settled(page, '/settings', account(page), page.getByText('Not verified'), devices(page));
    await hasNoViolations(page);
    const inMail = await openWelcome(page, email);
    const { pathname, search } = new URL((await inMail.getAttribute('href'))!);
    // As in a mail program, the link opens beside the mail.
    const [opened] = await Promise.all([page.waitForEvent('popup'), inMail.click()]);
    await expect(opened).toHaveURL('/verify-email');
    await expect(button(opened, 'Verify email address')).toBeVisible();
    await verify(opened);
    await opened.close();
    await settled(page, '/settings', account(page), page.getByText('Verified', { exact: true }));
    await follow(page, pathname + search, button(page, 'Verify email address'));
    await button(page, 'Verify email address').click();
    await expect(page.getByRole('alert')).toContainText('This link does not work any more.');
  });

  await test.step('a forgotten password is set anew, and every session ends', async () => {
    await phone.goto('/login');
    await phone.getByLabel('Email').fill(email);
    await phone.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(phone.getByLabel('Email')).toHaveValue(email);
    await button(phone, 'Send link').click();
    await expect(phone.getByText(`If ${email} has an account, a link is on its way.`)).toBeVisible();
    await hasNoViolations(phone);
    const link = await mailedLink(phone, email, '/reset-password');
    await follow(phone, link, button(phone, 'Set password'));
    await phone.getByLabel('New password').fill('password');
    await phone.getByLabel('Confirm password').fill('password');
    await button(phone, 'Set password').click();
    await expect(phone.getByText('This password is too common.')).toBeVisible();
    await hasNoViolations(phone);
    await phone.getByLabel('New password').fill(NEW_PASSWORD);
    await phone.getByLabel('Confirm password').fill(NEW_PASSWORD);
    await button(phone, 'Set password').click();
    await expect(phone.getByText('Your password is set.')).toBeVisible();
    await page.goto('/settings');
    await expect(page).toHaveURL(/\/login$/);
  });

  await test.step('the new password signs in, and one device signs the other out', async () => {
    await logInOnPage(phone, email, NEW_PASSWORD);
    await logIn(page, email, NEW_PASSWORD);
    await settled(page, '/settings', account(page), devices(page).nth(1));
    await expect(devices(page)).toHaveCount(2);
    await hasNoViolations(page);
    await button(devices(page), /^Sign out Chrome on/).click();
    const question = page.getByRole('alertdialog', { name: 'Sign this device out?' });
    await expect(question).toBeVisible();
    await hasNoViolations(page);
    await button(question, 'Sign out').click();
    await expect(devices(page)).toHaveCount(1);
    await phone.goto('/settings');
    await expect(phone).toHaveURL(/\/login$/);
  });

  await test.step('the password is changed, which signs the other device out', async () => {
    await logInAgain(phone, email, NEW_PASSWORD);
    await button(page, 'Change password').click();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await button(page, 'Save password').click();
    await expect(page.getByText('This is not your current password')).toBeVisible();
    await hasNoViolations(page);
    await page.getByLabel('Current password').fill(NEW_PASSWORD);
    await button(page, 'Save password').click();
    await expect(button(page, 'Change password')).toBeFocused();
    await phone.goto('/settings');
    await expect(phone).toHaveURL(/\/login$/);
    await logInAgain(phone, email, PASSWORD);
  });

  await test.step('the address is changed once the new one is verified', async () => {
    const address = `new-${email}`;
    await settled(phone, '/settings', button(phone, 'Change email'));
    await hasNoViolations(phone);
    await button(phone, 'Change email').click();
    await phone.getByLabel('New email').fill(address);
    await phone.getByLabel('Current password').fill(PASSWORD);
    await hasNoViolations(phone);
    await button(phone, 'Send link').click();
    await expect(phone.getByText(`Until then ${email} stays your address.`)).toBeVisible();
    await hasNoViolations(phone);
    const link = await mailedLink(phone, address, '/verify-email');
    await follow(phone, link, button(phone, 'Verify email address'));
    await verify(phone);
    await settled(phone, '/settings', phone.getByText(address, { exact: true }));
    await expect(phone.getByText('Verified', { exact: true })).toBeVisible();
    // The old address is told.
    const message = `a mail to ${email} that its account has another address`;
    const subjects = async () => (await mailsTo(phone, email)).map(({ subject }) => subject);
    await expect.poll(subjects, { message, timeout: MAIL_MS }).toContain(EMAIL_CHANGED);
    await logIn(page, address, PASSWORD);
  });
  await phone.context().close();
});
