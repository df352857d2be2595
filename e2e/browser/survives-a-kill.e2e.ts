import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, expect, test } from '@playwright/test';
import { startPulsoProcess } from '../support/pulso-process.js';
import { logInOnPage, publish, saved, signUp, uniqueName } from './support.js';

const postOn = (page: Page) => page.getByRole('article').filter({ hasText: 'Still here tomorrow?' });
const expectLiked = (page: Page) =>
  expect(
    postOn(page)
      .getByRole('button', { name: /^Liked/ })
      .first(),
  ).toBeVisible();

test('after kill -9 of the whole process tree everything is still there', async ({ browser }) => {
  test.setTimeout(400_000);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-kill-'));
  let pulso = await startPulsoProcess({ dataDirectory });
  try {
    const username = uniqueName('cara');
    const before = await browser.newContext({ baseURL: pulso.url, reducedMotion: 'reduce' });
    const first = await before.newPage();
    await signUp(first, username);
    await publish(first, 'Still here tomorrow?');
    // The page shows the like before the server has answered.
    await saved(first, 'PUT', /\/like$/, () =>
      postOn(first).getByRole('button', { name: /^Like/ }).first().click(),
    );
    await expectLiked(first);

    await pulso.killTree();
    pulso = await startPulsoProcess({ dataDirectory });

    // It runs at another port. Cookies belong to all ports of a host; what the browser has stored does not.
    const { cookies, origins } = await before.storageState();
    const storageState = { cookies, origins: origins.map((stored) => ({ ...stored, origin: pulso.url })) };
    await before.close();
    const context = await browser.newContext({ baseURL: pulso.url, reducedMotion: 'reduce', storageState });
    const page = await context.newPage();
    await page.goto('/feed');
    await expectLiked(page);
    await context.clearCookies();
    await logInOnPage(page, `${username}@example.test`);
    await expect(postOn(page)).toBeVisible();
    await context.close();
    expect(await pulso.stop()).toBe(0);
  } finally {
    await pulso.killTree();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});
