import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Page, expect } from '@playwright/test';

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

/** Opens the page and waits until its data has replaced the skeletons. */
export async function settled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
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
