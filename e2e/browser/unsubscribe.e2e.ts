import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, expect, test } from '@playwright/test';
import { databasesOn } from '@pulso/embedded/databases';
import pg from 'pg';
import { startPulsoProcess } from '../support/pulso-process.js';
import {
  accessTokenOf,
  account,
  axeViolations,
  saved,
  settled,
  signUpOnPage,
  uniqueName,
} from './support.js';

/** The user's token, which otherwise stands in their mails alone. */
async function tokenOf(username: string, dataDirectory: string): Promise<string> {
  const urls = JSON.parse(readFileSync(join(dataDirectory, 'engines.json'), 'utf8')) as Record<
    string,
    string
  >;
  const databases = databasesOn({ postgresUrl: urls.postgres!, mongodbUrl: urls.documents! }, 'pulso');
  const client = new pg.Client(databases.identity);
  await client.connect();
  try {
    const query = 'SELECT unsubscribe_token AS token FROM users WHERE username = $1';
    return (await client.query<{ token: string }>(query, [username])).rows[0]!.token;
  } finally {
    await client.end();
  }
}

/** Whether the user still gets mails about subscriptions. */
async function wantsThem(page: Page, username: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${await accessTokenOf(page, username)}` };
  const me = await page.request.get('/api/me', { headers });
  return ((await me.json()) as { emails: { subscriptions: boolean } }).emails.subscriptions;
}

const language = (page: Page) => page.getByLabel('Language of e-mails');

const openSettings = (page: Page) => settled(page, '/settings', account(page), language(page));

// Rule: MAIL-6, UI-46
test('the mails of a kind are switched off by their link, signed out; the settings have the language of mails', async ({
  browser,
}) => {
  test.setTimeout(400_000);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-unsubscribe-'));
  const pulso = await startPulsoProcess({ dataDirectory });
  try {
    const options = { baseURL: pulso.url, reducedMotion: 'reduce' } as const;
    const member = await (await browser.newContext({ ...options, locale: 'es-MX' })).newPage();
    const username = uniqueName('ana');
    // The page's language becomes that of mails.
    await signUpOnPage(member, username);
    await openSettings(member);
    await expect(language(member)).toHaveValue('es');
    expect(await axeViolations(member)).toEqual([]);
    await saved(member, 'PATCH', /^\/api\/me$/, () =>
      language(member)
        .selectOption('English')
        .then(() => undefined),
    );
    await openSettings(member);
    await expect(language(member)).toHaveValue('en');

    const link = `/unsubscribe?token=subscriptions.${await tokenOf(username, dataDirectory)}`;
    const phone = { ...options, viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
    const visitor = await (await browser.newContext(phone)).newPage();
    await settled(visitor, link, visitor.getByRole('button', { name: 'Unsubscribe' }));
    await expect(visitor).toHaveTitle('Unsubscribe from e-mails · Pulso');
    await expect(visitor.getByText('E-mails about subscriptions: confirmations')).toBeVisible();
    expect(await axeViolations(visitor)).toEqual([]);
    expect(await wantsThem(visitor, username)).toBe(true);

    await visitor.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(visitor.getByText('You will get no more of these e-mails.')).toBeVisible();
    expect(await axeViolations(visitor)).toEqual([]);
    expect(await wantsThem(visitor, username)).toBe(false);

    await settled(visitor, link.replace(/.$/, ''), visitor.getByRole('alert'));
    await expect(visitor.getByRole('alert')).toContainText('This link is not valid.');
    await visitor.getByRole('link', { name: 'Go to your settings' }).click();
    await expect(visitor).toHaveURL(/\/login$/);
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(await pulso.stop()).toBe(0);
  } finally {
    await pulso.killTree();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});
