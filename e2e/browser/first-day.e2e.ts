import { expect, test } from '@playwright/test';
import { aPerson, answered, logInOnPage, publish, signUp, signUpOnPage, uniqueName } from './support.js';

// Rule: POST-14, UI-21
test('signs up, posts, likes, comments, edits, deletes, logs out and in again', async ({ page }) => {
  const username = uniqueName('ana');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await signUpOnPage(page, username);
  await expect(page.getByRole('heading', { name: 'Social Feed' })).toBeVisible();

  const text = `Five easy kilometres ${username}`;
  await publish(page, text);
  const post = page.getByRole('article').filter({ hasText: text });
  await expect(page.getByRole('article').first()).toContainText(text);

  await post.getByRole('button', { name: /^Like/ }).first().click();
  await expect(post.getByRole('button', { name: /^Liked/ }).first()).toBeVisible();

  await post
    .getByRole('button', { name: /comment/i })
    .first()
    .click();
  await post.getByLabel('Write a comment').fill('Shoes off, feet up.');
  await post.getByRole('button', { name: 'Comment', exact: true }).last().click();
  await expect(post.getByText('Shoes off, feet up.')).toBeVisible();

  await post.getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit post' }).click();
  const editor = page.getByRole('dialog').getByLabel('Content');
  await editor.fill(`${text}, edited`);
  await editor.press('Control+Enter');
  // The editor closes when the post is saved.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('article').first()).toContainText(`${text}, edited`);

  await page.reload();
  await expect(page.getByRole('article').filter({ hasText: `${text}, edited` })).toBeVisible();

  const edited = page.getByRole('article').filter({ hasText: `${text}, edited` });
  await edited.getByRole('button', { name: 'Post menu' }).click();
  // It is sent when Undo is no longer offered, or the page is left.
  const deleted = answered(page, 'DELETE', /^\/api\/posts\//);
  await page.getByRole('menuitem', { name: 'Delete post' }).click();
  await expect(edited).toHaveCount(0);

  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  expect((await deleted).status()).toBe(204);
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/feed');
  await expect(page).toHaveURL(/\/login$/);
  await logInOnPage(page, `${username}@example.test`);
  await page.goto(`/${username}`);
  await expect(page.getByText('Share your fitness journey with the community!')).toBeVisible();
});

// Rule: ACCT-12, UI-14
test('shows why a login or a sign-up is refused', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill('nobody@example.test');
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Failed to log in. Please check your credentials.')).toBeVisible();

  await page.goto('/signup');
  await page.getByRole('textbox', { name: 'Password', exact: false }).first().fill('correct horse');
  await page.getByLabel('Confirm password').fill('another horse');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
});

// Rule: UI-29
test('edits the own profile, becomes a coach and may then publish for subscribers only', async ({ page }) => {
  const username = uniqueName('ben');
  await signUp(page, username);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Bio').fill('Runner, early mornings.');
  await page.getByLabel('Become a Fitness Coach').check();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  // The form closes when the profile is saved.
  await expect(page.getByLabel('Bio')).toHaveCount(0);
  await expect(page.getByText('Fitness Coach', { exact: true }).first()).toBeVisible();
  await page.goto(`/${username}`);
  await expect(page.getByText('Runner, early mornings.')).toBeVisible();
  await page.goto('/feed');
  await page.getByLabel('Your post').click();
  await expect(page.getByRole('radio', { name: 'Subscribers only' })).toBeVisible();
});

// Rule: ACCT-3, UI-29
test('a taken username is reported at its field only', async ({ page }) => {
  const taken = uniqueName('taken');
  await aPerson(page, taken);
  await signUp(page, uniqueName('late'));
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Username').fill(taken);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('This username is already taken')).toBeVisible();
  await expect(page.getByLabel('Username')).toBeFocused();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

// Rule: UI-17
test('leaving while a post is being sent, and coming back, posts once', async ({ page }) => {
  await signUp(page, uniqueName('hasty'));
  const text = `Only once ${uniqueName('post')}`;
  let letThrough: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  let sent = 0;
  await page.route('**/api/posts', async (route) => {
    sent += 1;
    await held;
    await route.continue();
  });
  await page.getByLabel('Your post').fill(text);
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  const busy = page.getByRole('button', { name: 'Posting...' });
  await expect(busy).toBeVisible();
  await page.getByRole('link', { name: 'Coaches', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Fitness Coaches' })).toBeVisible();
  await page.goBack();
  await expect(busy).toHaveAttribute('aria-busy', 'true');
  await page.getByLabel('Your post').press('Control+Enter');
  letThrough();
  await expect(page.getByLabel('Your post')).toHaveValue('');
  const posts = page.getByRole('article').filter({ hasText: text });
  await expect(posts).toHaveCount(1);
  await page.reload();
  await expect(posts).toHaveCount(1);
  expect(sent).toBe(1);
});

// Rule: UI-6, UI-24
test('unknown people, posts and paths have different pages', async ({ page }) => {
  await page.goto('/nobody-of-that-name');
  await expect(page.getByText('User Not Found')).toBeVisible();
  await page.goto('/no/such/path');
  await expect(page.getByText('404 - Page Not Found')).toBeVisible();
  await page.goto('/post/01890000-0000-7000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'Post Not Found' })).toBeVisible();
});

// Rule: UI-3, UI-5
test('the coach dashboard is announced to members, and visitors cannot open it', async ({ page }) => {
  await page.goto('/coach/dashboard');
  await expect(page).toHaveURL(/\/login$/);
  await signUpOnPage(page, uniqueName('coach'), { coach: true });
  await page.goto('/coach/dashboard');
  await expect(page.getByRole('main')).toHaveText('Coach dashboard coming soon');
});
