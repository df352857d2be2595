import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Locator, type Page, type Response, expect } from '@playwright/test';

export const PASSWORD = 'correct horse';

/** A unique username for every test, so that tests share one server without conflicts. */
export const uniqueName = (prefix: string) =>
  `${prefix}-${Date.now().toString(36)}${Math.floor(Math.random() * 1e4)}`;

export async function signUp(page: Page, username: string, options: { coach?: boolean } = {}): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Name', { exact: false }).first().fill(username);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.test`);
  await page.getByRole('textbox', { name: 'Password', exact: false }).first().fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  if (options.coach) await page.getByLabel('I am a coach').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/feed$/);
}

export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/feed$/);
}

export async function publish(page: Page, text: string): Promise<void> {
  const editor = page.getByLabel('Your post');
  await editor.fill(text);
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(page.getByRole('article').filter({ hasText: text })).toBeVisible();
}

/** Signs up over the API, so that a journey starts with existing users; returns the new user's id. */
export async function aPerson(page: Page, username: string, isCoach = false, fields = {}): Promise<string> {
  const answer = await page.request.post('/api/auth/signup', {
    data: {
      email: `${username}@example.test`,
      password: PASSWORD,
      name: username,
      username,
      isCoach,
      ...fields,
    },
  });
  expect(answer.status()).toBe(201);
  const { user } = (await answer.json()) as { user: { id: string } };
  await page.context().clearCookies();
  return user.id;
}

/** The menu of the signed-in user in a wide window: the session is restored, and the page has its data as a member. */
export const account = (page: Page) => page.getByRole('button', { name: /Account of/ });

/** Opens the page and waits until everything of `shown` is there, which its data bring, and nothing is loading. */
export async function settled(page: Page, path: string, ...shown: Locator[]): Promise<void> {
  await page.goto(path);
  for (const locator of shown) await expect(locator).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
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

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations axe finds on the page in its current state; each line names the rule and the element. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
