import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import {
  type APIResponse,
  type Locator,
  type Page,
  type Request,
  type Response,
  expect,
} from '@playwright/test';

export const PASSWORD = 'correct horse';

/**
 * A unique username for every test, so that tests share one server without conflicts. None is the beginning of another one:
 * journeys find posts by a text that contains it.
 */
export const uniqueName = (prefix: string) => {
  const random = Math.floor(Math.random() * 1e4);
  return `${prefix}-${Date.now().toString(36)}${random.toString().padStart(4, '0')}`;
};

/** The address changes before the page does: what both pages have would still be that of the page being left. */
async function reachesFeed(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/feed$/);
  await expect(page.getByRole('heading', { name: 'Social Feed' })).toBeAttached();
}

/**
 * Signs up over the API and opens the feed, with the cookie, the storage and the history that signing up on the page leaves; the
 * page is newly loaded, as after a reload.
 */
export async function signUp(page: Page, username: string, { coach = false } = {}): Promise<void> {
  await createAccount(page, username, coach);
  await openFeed(page);
}

/** The same for a login. */
export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await postJson(page, '/api/auth/login', { email, password });
  await openFeed(page);
}

async function openFeed(page: Page): Promise<void> {
  await page.goto('/feed');
  await reachesFeed(page);
  // The members' code is there too, as it is on the pages of signing up and in.
  await expect(page.getByRole('button', { name: /^Notifications/ })).toBeVisible();
}

/** As a user does: for journeys that are about it. */
export async function signUpOnPage(page: Page, username: string, { coach = false } = {}): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Name', { exact: false }).first().fill(username);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.test`);
  await page.getByRole('textbox', { name: 'Password', exact: false }).first().fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  if (coach) await page.getByLabel('I am a coach').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await reachesFeed(page);
}

export async function logInOnPage(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await reachesFeed(page);
}

/** `shown`: the part of the text to wait for, where the page does not show all of it as it was written. */
export async function publish(page: Page, text: string, shown = text): Promise<void> {
  const editor = page.getByLabel('Your post');
  await editor.fill(text);
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(page.getByRole('article').filter({ hasText: shown })).toBeVisible();
}

/**
 * Does `act`, and waits until the server has done what the page then asks of it. The page shows most changes before that, and a
 * call that is on its way when the page is left may be lost.
 */
export async function saved(
  page: Page,
  method: 'PUT' | 'POST' | 'PATCH' | 'DELETE',
  path: RegExp,
  act: () => Promise<void>,
): Promise<void> {
  const waiting = answered(page, method, path);
  await act();
  const answer = await waiting;
  if (answer.ok()) return;
  throw new Error(`${method} ${answer.url()} was answered ${answer.status()}: ${await answer.text()}`);
}

/**
 * Posts to the API, again while the answer is 503: a service may not have heard of a new user yet, and a slow machine may
 * refuse a call. The key keeps a call that was done all the same from being done twice.
 */
export async function postJson<T>(page: Page, path: string, data: object, accessToken?: string): Promise<T> {
  const headers = accessToken
    ? { authorization: `Bearer ${accessToken}`, 'idempotency-key': randomUUID() }
    : undefined;
  return (await taken(() => page.request.post(path, { data, headers }))).json() as Promise<T>;
}

/** Puts to the API as `postJson` posts, without a body: a follow or a subscription. */
export async function put(page: Page, path: string, accessToken: string): Promise<void> {
  await taken(() => page.request.put(path, { headers: { authorization: `Bearer ${accessToken}` } }));
}

/** The answer of a call that the server has done. */
async function taken(call: () => Promise<APIResponse>): Promise<APIResponse> {
  let answer!: APIResponse;
  await expect.poll(async () => (answer = await call()).status()).not.toBe(503);
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer;
}

const createAccount = (page: Page, username: string, isCoach: boolean, fields = {}) =>
  postJson<{ user: { id: string } }>(page, '/api/auth/signup', {
    email: `${username}@example.test`,
    password: PASSWORD,
    name: username,
    username,
    isCoach,
    ...fields,
  });

/** Creates a user over the API, whom the page is not: so a journey starts with existing users. Returns the user's id. */
export async function aPerson(page: Page, username: string, isCoach = false, fields = {}): Promise<string> {
  const { user } = await createAccount(page, username, isCoach, fields);
  await page.context().clearCookies();
  return user.id;
}

/** The access token of a session of its own, which the page does not get. */
export async function accessTokenOf(page: Page, username: string): Promise<string> {
  const data = { email: `${username}@example.test`, password: PASSWORD };
  const { accessToken } = await postJson<{ accessToken: string }>(page, '/api/auth/login', data);
  await page.context().clearCookies();
  return accessToken;
}

/** The answer of a public address of the API. Asks again while there is none: a slow machine may answer 503. */
export async function getJson<T>(page: Page, path: string): Promise<T> {
  let answer!: APIResponse;
  const status = async () => (answer = await page.request.get(path)).status();
  await expect.poll(status).toBe(200);
  return (await answer.json()) as T;
}

/**
 * Makes timers of seconds take a minute and more, so that Undo and other notices stay until the journey gets to them, however
 * slow the machine. To be called before the page is opened.
 */
export async function holdNotices(page: Page): Promise<void> {
  await page.addInitScript(`(() => {
    const { setTimeout } = window;
    window.setTimeout = (handler, ms = 0, ...args) => setTimeout(handler, ms < 2000 ? ms : ms * 20, ...args);
  })()`);
}

/** The menu of the signed-in user in a wide window: the session is restored, and the page has its data as a member. */
export const account = (page: Page) => page.getByRole('button', { name: /Account of/ });

/** Resolves when the page has nothing left to do. */
const IDLE = 'new Promise((resolve) => requestIdleCallback(() => resolve()))';

/**
 * Opens the page and waits until everything of `shown` is there, which its data bring, nothing is asked for any more, and
 * nothing is loading. The stream of events stays open, which is why `networkidle` never comes.
 */
export async function settled(page: Page, path: string, ...shown: Locator[]): Promise<void> {
  const open = new Set<Request>();
  const began = (request: Request) => {
    if (new URL(request.url()).pathname !== '/api/events') open.add(request);
  };
  const ended = (request: Request) => void open.delete(request);
  const stillOpen = async () => {
    await page.evaluate(IDLE);
    return [...open].map((request) => request.url());
  };
  page.on('request', began).on('requestfinished', ended).on('requestfailed', ended);
  try {
    await page.goto(path);
    for (const locator of shown) await expect(locator).toBeVisible();
    await expect.poll(stillOpen, { timeout: 60_000, intervals: [50] }).toEqual([]);
  } finally {
    page.off('request', began).off('requestfinished', ended).off('requestfailed', ended);
  }
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/**
 * Lets the journey cut the page's stream of events: the one that is open ends, and no other one opens. To be called before the
 * page is opened.
 */
export async function streamCutter(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(`(() => {
    const { fetch } = window;
    const cut = new AbortController();
    window.cutStream = () => cut.abort();
    window.fetch = (input, init) =>
      input instanceof Request && new URL(input.url).pathname === '/api/events'
        ? fetch(input, { ...init, signal: AbortSignal.any([input.signal, cut.signal]) })
        : fetch(input, init);
  })()`);
  return async () => {
    await page.route('**/api/events', (route) => route.abort());
    await page.evaluate('window.cutStream()');
  };
}

/** The answer to the next such request; pages show most effects before it, and a reload would cut it off. */
export function answered(page: Page, method: string, path: RegExp): Promise<Response> {
  const isMeant = (response: Response) =>
    response.request().method() === method && path.test(new URL(response.url()).pathname);
  return page.waitForResponse(isMeant);
}

/** The path of a block. */
export const BLOCK = /^\/api\/users\/[^/]+\/block$/;

/** Blocks a user on their profile. */
export async function blockOnProfile(page: Page, username: string): Promise<void> {
  await page.goto(`/${username}`);
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: `Block ${username}` }).click();
  const blocked = answered(page, 'PUT', BLOCK);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible();
  await blocked;
}

/** Collects the texts of dialogs and toasts, which may close after 3 s, from the next load of a page on. */
export async function noticesOf(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(`
    const seen = new Set();
    window.noticesSeen = seen;
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('[role=alertdialog], [aria-live=polite] > *'))
        seen.add(textContent);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  `);
  return () => page.evaluate<string[]>('[...window.noticesSeen]');
}

/** Expects that the page is no wider than the window, once it is laid out again after a change of the window's size. */
export const fitsWidth = (page: Page) =>
  expect.poll(() => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Of what is no violation, axe then describes one element a rule, and the page sends nothing. */
const AXE = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";

/** The violations axe finds on the page in its current state; each line names the rule and the element. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Half a megabyte, which a page takes once.
  if (!(await page.evaluate<boolean>('Boolean(window.axe)'))) await page.evaluate(axeSource);
  const violations = await page.evaluate<AxeResults['violations']>(AXE);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}

/** The same in both themes; each line begins with the theme. The page is not loaded again for it. */
export async function axeViolationsOfThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    for (const line of await axeViolations(page)) found.push(`${colorScheme}: ${line}`);
  }
  return found;
}
