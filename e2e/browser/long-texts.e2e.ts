import { type Locator, type Page, expect, test } from '@playwright/test';
import { aPerson, axeViolations, logIn, settled, signUp, publish, uniqueName } from './support.js';

const LONGEST_NAME = 'W'.repeat(80);

/** How far a page, or an open dialog or menu, extends beyond the visible area; 0 when it does not. */
const overflow = (page: Page) =>
  page.evaluate<number>(`Math.max(
    document.documentElement.scrollWidth - innerWidth,
    ...[...document.querySelectorAll('dialog[open], [role=menu]')].map(
      (element) => element.scrollWidth - element.clientWidth,
    ),
  )`);

/** The labels of buttons that are cut off. */
const CUT_LABELS = `[...document.querySelectorAll('.mantine-Button-label')]
  .filter((label) => label.scrollWidth > label.clientWidth)
  .map((label) => label.textContent)`;

/** In one step, because a refetch between two may shift the page. The tests are compiled without the DOM's types. */
const HEIGHT = new Function(
  'link',
  `link.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = link.getBoundingClientRect();
  return Array.from({ length: Math.ceil(height) + 80 }, (_, at) => at)
    .map((at) => document.elementFromPoint(x + width / 2, Math.round(y) - 40 + at))
    .filter((element) => element?.closest('a')?.getAttribute('href') === link.getAttribute('href')).length;`,
) as (link: unknown) => number;

/** The height in px of the area around the middle of `link` where a press reaches it. */
const targetHeight = (link: Locator): Promise<number> => link.evaluate(HEIGHT);

// Rule: UI-46
test('the longest name fits on every screen at 320 px', async ({ page }) => {
  const wide = uniqueName('wide');
  const id = await aPerson(page, wide, true, {
    name: LONGEST_NAME,
    bio: `${wide} ${'Donaudampfschifffahrtsgesellschaft'.repeat(20)}`,
    specialties: ['Supercalifragilisticexpialidociousness'],
  });
  await logIn(page, `${wide}@example.test`);
  await publish(page, `https://example.org/${'very-long-'.repeat(40)} ${wide}`, wide);
  await page.context().clearCookies();
  await signUp(page, uniqueName('reader'));
  await page.setViewportSize({ width: 320, height: 640 });

  const post = page.getByRole('article').filter({ hasText: wide });
  await expect(post).toBeVisible();
  expect((await post.getByRole('link', { name: LONGEST_NAME }).boundingBox())?.height).toBeLessThan(30);
  await post.getByRole('button', { name: 'Post menu' }).click();
  await expect(page.getByRole('menuitem', { name: /^Block/ })).toBeVisible();
  expect(await overflow(page)).toBe(0);
  await page.getByRole('menuitem', { name: /^Block/ }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  expect(await overflow(page)).toBe(0);
  await page.keyboard.press('Escape');

  for (const path of [`/${wide}`, `/profile/${id}`, `/coaches/${id}`, `/coaches?q=${wide}`]) {
    await settled(page, path, page.getByText(LONGEST_NAME).first());
    expect({ path, overflow: await overflow(page) }).toEqual({ path, overflow: 0 });
    expect({ path, cut: await page.evaluate(CUT_LABELS) }).toEqual({ path, cut: [] });
  }
});

// Rule: UI-44
test('URLs in posts, comments and bios are nofollow links', async ({ page }) => {
  const author = uniqueName('linker');
  await aPerson(page, author, false, { bio: 'More on https://example.org/about.' });
  await logIn(page, `${author}@example.test`);
  const plan = `Plan ${author}: https://example.org/plan, not javascript:alert(1)\n\n\n\n\n\nEnd`;
  await publish(page, plan, author);
  const post = page.getByRole('article').filter({ hasText: author });
  await post
    .getByRole('button', { name: /comment/i })
    .first()
    .click();
  await post.getByLabel('Write a comment').fill('See http://example.org/comment');
  await post.getByRole('button', { name: 'Comment', exact: true }).last().click();

  for (const address of ['https://example.org/plan', 'http://example.org/comment']) {
    const link = post.getByRole('link', { name: address.replace(/^https?:\/\//, '') });
    await expect(link).toHaveAttribute('href', address);
    await expect(link).toHaveAttribute('rel', 'nofollow noopener noreferrer');
    await expect(link).toHaveAttribute('target', '_blank');
  }
  await expect(post.locator('a[href^="javascript"]')).toHaveCount(0);
  // A comment on its way is pale, and has no menu.
  await expect(post.getByRole('button', { name: 'Comment menu' })).toBeVisible();
  expect(await post.getByText(/^Plan/).textContent()).toContain('alert(1)\n\nEnd');
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(`/${author}`);
  await expect(page.getByRole('link', { name: 'example.org/about', exact: true })).toBeVisible();
});

test('the name and the time of a post, and the name of a comment, are large enough to tap', async ({
  page,
}) => {
  const author = uniqueName('thumb');
  await signUp(page, author);
  await publish(page, `Small hands, big phones ${author}`);
  await page.setViewportSize({ width: 390, height: 844 });
  const post = page.getByRole('article').filter({ hasText: `Small hands, big phones ${author}` });
  // The feed, which is read again after a new post, may move the post while it is measured.
  const tappable = (link: Locator) => expect.poll(() => targetHeight(link)).toBeGreaterThanOrEqual(40);
  await tappable(post.getByRole('link', { name: author }));
  await tappable(post.locator('a:has(time)'));

  await post
    .getByRole('button', { name: /comment/i })
    .first()
    .click();
  await post.getByLabel('Write a comment').fill('Mine too.');
  await post.getByRole('button', { name: 'Comment', exact: true }).last().click();
  const comment = post.getByRole('listitem', { name: `Comment by ${author}` });
  // Only a saved comment has a menu; the entry is replaced once when it has been saved.
  await expect(comment.getByRole('button', { name: 'Comment menu' })).toBeVisible();
  await tappable(comment.getByRole('link', { name: author }));
});
