import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { account, axeViolationsOfThemes, settled, signUpOnPage, uniqueName } from './support.js';

interface Document {
  format: string;
  complete: boolean;
  services: Record<string, Record<string, Record<string, unknown>[]>>;
}

// Rule: ACCT-35
test('a user downloads all that is held of them', async ({ page }) => {
  const username = uniqueName('mine');
  await signUpOnPage(page, username);
  const button = page.getByRole('button', { name: 'Download my data', exact: true });
  await settled(page, '/settings', account(page), button);
  expect(await axeViolationsOfThemes(page)).toEqual([]);

  const begun = page.waitForEvent('download');
  await button.click();
  const download = await begun;
  expect(download.suggestedFilename()).toBe('pulso-export.json');
  const document = JSON.parse(await readFile(await download.path(), 'utf8')) as Document;
  expect([document.format, document.complete]).toEqual(['pulso-export', true]);
  expect(document.services['identity']!['account']).toEqual([expect.objectContaining({ username })]);
  expect(document.services['identity']!['sessions']).toHaveLength(1);
  await expect(page.getByText('Your data is saved in your downloads.')).toBeVisible();
});
