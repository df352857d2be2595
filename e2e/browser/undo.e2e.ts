import { type Page, expect, test } from '@playwright/test';
import { axeViolations, getJson, holdNotices, publish, signUp, uniqueName } from './support.js';

const article = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

async function deletePost(page: Page, text: string): Promise<void> {
  await article(page, text).getByRole('button', { name: 'Post menu' }).click();
  await page.getByRole('menuitem', { name: 'Delete post' }).click();
  await expect(page.getByText('Post deleted successfully!')).toBeVisible();
}

/** The calls that delete something, as they are made. */
function deletionsOf(page: Page): string[] {
  const deletions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions.push(new URL(request.url()).pathname);
  });
  return deletions;
}

test.beforeEach(({ page }) => holdNotices(page));

interface Answer {
  id: string;
  items: unknown[];
}

// Rule: UI-56
test('a deleted post comes back by Undo, in its place and with the focus', async ({ page }) => {
  const deletions = deletionsOf(page);
  const name = uniqueName('writer');
  await signUp(page, name);
  await publish(page, `First ${name}`);
  await publish(page, `Second ${name}`);
  await deletePost(page, `Second ${name}`);
  await expect(article(page, `Second ${name}`)).toHaveCount(0);
  // The entry beside it has the focus now.
  await expect(article(page, `First ${name}`)).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  // Neither the list nor its own page has it meanwhile, though the server does.
  await page.getByRole('banner').getByRole('link', { name: 'Coaches', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Fitness Coaches' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Feed', exact: true }).click();
  await expect(article(page, `First ${name}`)).toBeVisible();
  await expect(article(page, `Second ${name}`)).toHaveCount(0);

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('article').first()).toContainText(`Second ${name}`);
  await expect(article(page, `Second ${name}`)).toBeFocused();
  await page.reload();
  await expect(article(page, `Second ${name}`)).toBeVisible();
  expect(deletions).toEqual([]);
});

// Rule: UI-56
test('a post that is deleted on its own page comes back to it by Undo', async ({ page }) => {
  const name = uniqueName('own');
  await signUp(page, name);
  await publish(page, `On its page ${name}`);
  await article(page, name).locator('a:has(time)').click();
  await expect(page).toHaveURL(/\/post\//);
  // The address changes before the page does.
  await expect(page).toHaveTitle(new RegExp(`On its page ${name}`));
  const { pathname } = new URL(page.url());
  await deletePost(page, name);
  await expect(page).toHaveURL(/\/feed$/);
  await expect(article(page, name)).toHaveCount(0);
  await expect(page.getByText('Post not found')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page).toHaveURL(new RegExp(`${pathname}$`));
  await expect(article(page, name)).toBeVisible();
});

// Rule: UI-56
test('a deletion is sent when the page is left, and by the next deletion', async ({ page }) => {
  const deletions = deletionsOf(page);
  const name = uniqueName('left');
  await signUp(page, name);
  for (const which of ['First', 'Second', 'Third']) await publish(page, `${which} ${name}`);
  await deletePost(page, `First ${name}`);
  await deletePost(page, `Second ${name}`);
  await expect.poll(() => deletions.length).toBe(1);
  await page.goto('/api/config');
  const { id } = await getJson<Answer>(page, `/api/users/by-username/${name}`);
  const posts = async () => (await getJson<Answer>(page, `/api/users/${id}/posts`)).items;
  await expect.poll(posts).toMatchObject([{ content: `Third ${name}` }]);
});

// Rule: UI-56, POST-23
test('a deleted comment is not counted, comes back by Undo, and is back when it could not be deleted', async ({
  page,
}) => {
  const name = uniqueName('critic');
  await signUp(page, name);
  await publish(page, `Opinions ${name}`);
  const post = article(page, name);
  await post.getByRole('button', { name: 'Comment', exact: true }).click();
  await post.getByLabel('Write a comment').fill('A second thought.');
  await post.getByRole('button', { name: 'Comment', exact: true }).last().click();
  const comment = post.getByRole('listitem', { name: `Comment by ${name}` });
  const remove = async () => {
    await comment.getByRole('button', { name: 'Comment menu' }).click();
    await page.getByRole('menuitem', { name: 'Delete comment' }).click();
    await expect(page.getByText('The comment has been deleted.')).toBeVisible();
    await expect(comment).toHaveCount(0);
  };
  await remove();
  await expect(post.getByText('1 comment', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(comment).toBeFocused();
  await expect(post.getByText('1 comment', { exact: true })).toHaveCount(1);

  await page.route('**/api/comments/*', (route) => route.abort());
  await remove();
  await page.getByRole('button', { name: 'Dismiss' }).last().click();
  await expect(page.getByText('The comment could not be deleted. Please try again.')).toBeVisible();
  await expect(comment).toBeVisible();
});
