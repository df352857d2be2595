import { expect, test } from '@playwright/test';
import { publish, saved, signUp, uniqueName } from './support.js';

// Rule: NOTIF-4, NOTIF-5, NOTIF-7
test('is told of a like, goes to the post, and the badge is gone', async ({ page, browser }) => {
  const author = uniqueName('author');
  const reader = uniqueName('reader');
  await signUp(page, author);
  const text = `Ten kilometres before work, ${author}`;
  await publish(page, text);

  const other = await browser.newContext();
  const theirs = await other.newPage();
  await signUp(theirs, reader);
  await theirs.goto(`/${author}`);
  await saved(theirs, 'PUT', /\/like$/, () =>
    theirs.getByRole('button', { name: 'Like', exact: false }).first().click(),
  );
  await expect(theirs.getByRole('button', { name: /Liked/ })).toBeVisible();

  const bell = page.getByRole('button', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread');
  await saved(page, 'POST', /\/notifications\/read$/, () => bell.click());
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await expect(list.getByRole('link', { name: new RegExp(`${reader} liked your post`) })).toBeVisible();
  await expect(bell).toHaveAccessibleName('Notifications');
  await list.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/post\//);
  await expect(page.getByText(text)).toBeVisible();
  await expect(list).toHaveCount(0);
  await page.reload();
  await expect(page.getByText(text)).toBeVisible();
  await expect(bell).toHaveAccessibleName('Notifications');

  // A comment has the focus where its notification leads.
  await theirs.goto(new URL(page.url()).pathname);
  await theirs.getByRole('textbox', { name: /comment/i }).fill('Well done!');
  await saved(theirs, 'POST', /\/comments$/, () => theirs.keyboard.press('Control+Enter'));
  await other.close();
  await bell.click();
  await list.getByRole('link', { name: new RegExp(`${reader} commented on your post`) }).click();
  await expect(page).toHaveURL(/#comment-/);
  await expect(page.getByRole('listitem').filter({ hasText: 'Well done!' })).toBeFocused();
});

// Rule: NOTIF-5, UI-63
test('says that there are none, and Escape returns the focus to the bell', async ({ page }) => {
  const member = uniqueName('member');
  await signUp(page, member);
  await page.setViewportSize({ width: 390, height: 844 });
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await bell.click();
  await expect(page.getByText('No notifications')).toBeVisible();
  // Where the list fills the window, the page does not show through between it and the bar.
  await page.setViewportSize({ width: 390, height: 240 });
  await expect(async () => {
    const list = (await page.getByRole('dialog', { name: 'Notifications' }).boundingBox())!;
    const bar = (await page.getByRole('navigation', { name: 'Quick access' }).boundingBox())!;
    expect(list.y + list.height).toBe(bar.y + 1);
  }).toPass({ timeout: 30_000 });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toHaveCount(0);
  await expect(bell).toBeFocused();
});
