import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startPulsoProcess } from '../support/pulso-process.js';
import { logIn, publish, signUp, uniqueName } from './support.js';

test('after kill -9 of the whole process tree everything is still there', async ({ browser }) => {
  test.setTimeout(300_000);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-kill-'));
  let pulso = await startPulsoProcess({ dataDirectory });
  try {
    const username = uniqueName('cara');
    const context = await browser.newContext({ baseURL: pulso.url, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await signUp(page, username);
    await publish(page, 'Still here tomorrow?');
    const post = page.getByRole('article').filter({ hasText: 'Still here tomorrow?' });
    const acknowledged = page.waitForResponse((answer) => answer.url().endsWith('/like') && answer.ok());
    await post.getByRole('button', { name: /^Like/ }).first().click();
    await expect(post.getByRole('button', { name: /^Liked/ }).first()).toBeVisible();
    await acknowledged;

    const port = Number(new URL(pulso.url).port);
    await pulso.killTree();
    pulso = await startPulsoProcess({ dataDirectory, port });

    await page.reload();
    await expect(post).toBeVisible();
    await expect(post.getByRole('button', { name: /^Liked/ }).first()).toBeVisible();
    await context.clearCookies();
    await logIn(page, `${username}@example.test`);
    await expect(post).toBeVisible();
    await context.close();
  } finally {
    expect(await pulso.stop()).toBe(0);
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});
