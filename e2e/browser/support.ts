import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type APIResponse, type Page, type Request, expect } from '@playwright/test';

export const PASSWORD = 'correct horse';

/** A unique username for every test, so that tests share one server without conflicts. */
export const uniqueName = (prefix: string) =>
  `${prefix}-${Date.now().toString(36)}${Math.floor(Math.random() * 1e4)}`;

/** The address changes before the page does: what both pages have would still be that of the page being left. */
async function reachesFeed(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/feed$/);
  await expect(page.getByRole('heading', { name: 'Social Feed' })).toBeAttached();
}

export async function signUp(page: Page, username: string, options: { coach?: boolean } = {}): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Name', { exact: false }).first().fill(username);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.test`);
  await page.getByRole('textbox', { name: 'Password', exact: false }).first().fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  if (options.coach) await page.getByLabel('I am a coach').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await reachesFeed(page);
}

export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
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
  method: 'PUT' | 'POST' | 'DELETE',
  path: RegExp,
  act: () => Promise<void>,
): Promise<void> {
  const answered = page.waitForResponse(
    (answer) => answer.request().method() === method && path.test(new URL(answer.url()).pathname),
  );
  await act();
  expect((await answered).ok()).toBe(true);
}

/**
 * Posts to the API, again while the answer is 503: a service may not have heard of a new user yet, and a slow machine may
 * refuse a call. The key keeps a call that was done all the same from being done twice.
 */
export async function postJson<T>(page: Page, path: string, data: object, accessToken?: string): Promise<T> {
  const headers = accessToken
    ? { authorization: `Bearer ${accessToken}`, 'idempotency-key': randomUUID() }
    : undefined;
  let answer!: APIResponse;
  const status = async () => (answer = await page.request.post(path, { data, headers })).status();
  await expect.poll(status).not.toBe(503);
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as T;
}

/** Signs up over the API, so that a journey starts with existing users; returns the new user's id. */
export async function aPerson(page: Page, username: string, isCoach = false, fields = {}): Promise<string> {
  const { user } = await postJson<{ user: { id: string } }>(page, '/api/auth/signup', {
    email: `${username}@example.test`,
    password: PASSWORD,
    name: username,
    username,
    isCoach,
    ...fields,
  });
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

/** As long as Playwright's `networkidle` waits. */
const IDLE_MS = 500;

/**
 * Opens the page and waits until nothing is asked for any more and its data has replaced the skeletons. The stream of events
 * stays open, which is why `networkidle` never comes.
 */
export async function settled(page: Page, path: string): Promise<void> {
  const open = new Set<Request>();
  let changed = Date.now();
  const began = (request: Request) => {
    if (new URL(request.url()).pathname === '/api/events') return;
    open.add(request);
    changed = Date.now();
  };
  const ended = (request: Request) => {
    if (open.delete(request)) changed = Date.now();
  };
  page.on('request', began).on('requestfinished', ended).on('requestfailed', ended);
  try {
    await page.goto(path);
    await expect
      .poll(() => open.size === 0 && Date.now() - changed >= IDLE_MS, { intervals: [50], timeout: 60_000 })
      .toBe(true);
  } finally {
    page.off('request', began).off('requestfinished', ended).off('requestfailed', ended);
  }
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations axe finds on the page in its current state; each line names the rule and the element. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
