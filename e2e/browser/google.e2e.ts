import { type Page, expect, test } from '@playwright/test';
import {
  account,
  axeViolations,
  axeViolationsOfThemes,
  postJson,
  settled,
  signUp,
  uniqueName,
} from './support.js';

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' });
const chooser = (at: Page) => at.getByRole('heading', { name: 'Choose an account' });
const newEmail = () => `${uniqueName('gina')}@people.example`;

/** The window of the provider, which a press of the button opens. */
async function providerOf(page: Page): Promise<Page> {
  const opening = page.waitForEvent('popup');
  await button(page).click();
  const provider = await opening;
  await expect(chooser(provider)).toBeVisible();
  return provider;
}

/** Signs in at the provider as somebody with an address of their own; the page leads away, or its window closes. */
async function signInAs(provider: Page, email: string, { verified = true } = {}): Promise<void> {
  await provider.getByLabel('Another address').fill(email);
  if (verified) await provider.getByLabel('The provider has verified it').check();
  await provider.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function reachesFeed(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/feed$/);
  await expect(account(page)).toBeVisible();
}

interface Viewer {
  username: string;
  email: string;
  emailVerified: boolean;
  isCoach: boolean;
}

/** Who is signed in, by the cookie of the session. */
async function viewerOf(page: Page): Promise<Viewer> {
  return (await postJson<{ user: Viewer }>(page, '/api/auth/refresh', {})).user;
}

const said = (page: Page) => page.getByRole('alert');

// Rule: ACCT-28, ACCT-29, ACCT-30, UI-16
test('a window of the provider signs in, at the first time to a new account with one welcome mail, later to the same', async ({
  page,
}) => {
  const email = newEmail();
  await settled(page, '/signup', button(page));
  expect(await axeViolationsOfThemes(page)).toEqual([]);
  const provider = await providerOf(page);
  expect(provider.url()).toMatch(/^http:\/\/127\.0\.0\.1:/);
  const closed = provider.waitForEvent('close');
  await signInAs(provider, email);
  await closed;
  await reachesFeed(page);
  const first = await viewerOf(page);
  expect(first).toMatchObject({ email, emailVerified: true, isCoach: false });
  expect(first.username).toBe(email.slice(0, email.indexOf('@')));

  const subjects = async () => {
    const headers = { accept: 'application/json' };
    const answer = await page.request.get(`/dev/mail?to=${encodeURIComponent(email)}`, { headers });
    return ((await answer.json()) as { subject: string }[]).map(({ subject }) => subject);
  };
  await expect.poll(async () => (await subjects()).length).toBe(1);

  await page.context().clearCookies();
  await settled(page, '/login', button(page));
  await signInAs(await providerOf(page), email);
  await reachesFeed(page);
  expect((await viewerOf(page)).username).toBe(first.username);
  // A mail that comes after a second welcome would.
  await page.request.post('/api/auth/password/forgot', { data: { email } });
  await expect.poll(async () => (await subjects())[0]).toBe('Reset your password');
  expect(await subjects()).toHaveLength(2);
});

// Rule: ACCT-28
test('a window that is closed, or in which the user does not agree, leaves the page as it was', async ({
  page,
}) => {
  await settled(page, '/login', button(page));
  const closed = await providerOf(page);
  await closed.close();
  await expect(said(page)).toHaveCount(0);

  const denied = await providerOf(page);
  const gone = denied.waitForEvent('close');
  await denied.getByRole('link', { name: 'Cancel' }).click();
  await gone;
  await expect(said(page)).toHaveText('The sign-in with Google was cancelled.');
  expect(await axeViolationsOfThemes(page)).toEqual([]);

  await signInAs(await providerOf(page), newEmail());
  await reachesFeed(page);
});

// Rule: ACCT-28
test('where the browser opens no window, the provider is in the same one', async ({ page }) => {
  await page.addInitScript('window.open = () => null');
  await settled(page, '/login', button(page));
  await button(page).click();
  await expect(chooser(page)).toBeVisible();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(said(page)).toHaveText('The sign-in with Google was cancelled.');
  await expect(page).toHaveURL(/\/login$/);

  await button(page).click();
  await signInAs(page, newEmail(), { verified: false });
  await reachesFeed(page);
  expect(await viewerOf(page)).toMatchObject({ emailVerified: false });
});

// Rule: ACCT-28
test('an account with the same address is joined where both have verified it, else it is said', async ({
  page,
  browser,
}) => {
  await settled(page, '/login', button(page));
  const verified = await providerOf(page);
  await verified.getByRole('link', { name: /Nora Quintana/ }).click();
  await reachesFeed(page);
  expect(await viewerOf(page)).toMatchObject({ username: 'nora-quintana' });

  const other = await (await browser.newContext()).newPage();
  const username = uniqueName('gil');
  await signUp(other, username);
  await other.context().clearCookies();
  await settled(other, '/login', button(other));
  const taken = /^There is already an account with this email address/;
  await signInAs(await providerOf(other), `${username}@example.test`);
  await expect(said(other)).toHaveText(taken);
  const unverified = await providerOf(other);
  await unverified.getByRole('link', { name: /Alex Rivera/ }).click();
  await expect(said(other)).toHaveText(taken);
  await expect(other).toHaveURL(/\/login$/);
  await other.context().close();
});

/** Where the provider is, for a sign-in in this window, with another value for one of its parameters. */
async function toProviderWith(page: Page, name: 'state' | 'nonce'): Promise<void> {
  const begun = await page.request.get('/api/auth/google/start', { maxRedirects: 0 });
  const url = new URL(begun.headers()['location']!);
  expect(url.searchParams.get(name)).toBeTruthy();
  url.searchParams.set(name, 'that-of-somebody-else');
  await page.goto(url.href);
  await expect(chooser(page)).toBeVisible();
}

/** Nobody is signed in, and the login says that it has failed. */
async function hasFailed(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/login$/);
  await expect(said(page)).toHaveText('Failed to log in with Google.');
  expect((await page.request.post('/api/auth/refresh')).status()).toBe(401);
}

// Rule: ACCT-28
test('an answer that is sent again, or belongs to another state or nonce, signs in nobody', async ({
  page,
}) => {
  await page.addInitScript('window.open = () => null');
  const answers: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/auth/google/callback')) answers.push(request.url());
  });
  const back = page.getByRole('link', { name: 'Back to the sign-in' });

  await settled(page, '/login', button(page));
  await button(page).click();
  await expect(chooser(page)).toBeVisible();
  const begun = await page.context().cookies();
  await signInAs(page, newEmail());
  await reachesFeed(page);
  const [answer] = answers as [string];

  await test.step('again, in a browser that has begun nothing', async () => {
    await page.context().clearCookies();
    await page.goto(answer);
    await expect(page.getByRole('heading', { name: 'The sign-in has failed' })).toBeVisible();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeViolations(page)).toEqual([]);
    }
    await back.click();
    await hasFailed(page);
  });

  await test.step('again, in a browser that has kept what it began', async () => {
    await page.context().addCookies(begun);
    await page.goto(answer);
    await hasFailed(page);
  });

  await test.step('to another nonce', async () => {
    await toProviderWith(page, 'nonce');
    await signInAs(page, newEmail());
    await hasFailed(page);
  });

  await test.step('to another state', async () => {
    await toProviderWith(page, 'state');
    await signInAs(page, newEmail());
    await expect(page.getByRole('heading', { name: 'The sign-in has failed' })).toBeVisible();
    await back.click();
    await hasFailed(page);
  });
});
