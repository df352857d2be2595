import { inContext } from '../../testing/context.js';
import { outcome } from '../../testing/outcomes.js';
import { createCursorSealer } from '../auth/sealed-cursor.js';
import { type ExportedRow, type ExportedSection, exportPage } from './export-page.js';

const sealer = createCursorSealer({ secrets: [{ kid: 'k1', secret: 'a secret of the suite' }] });
const as = <T>(userId: string, work: () => T) => inContext({ userId, sessionId: 's', expiresAt: 1 }, work);

const keyOf = (index: number) => String(index).padStart(6, '0');
const rowsOf = (count: number, text = ''): ExportedRow[] =>
  Array.from({ length: count }, (_, index) => ({ key: keyOf(index), json: JSON.stringify({ index, text }) }));

/** A section with these rows of the user `ada`, and how many rows were asked for. */
function section(name: string, rows: readonly ExportedRow[]) {
  const limits: number[] = [];
  const made: ExportedSection = {
    name,
    list: (userId, after = '', limit) => {
      limits.push(limit);
      const own = userId === 'ada' ? rows : [];
      return Promise.resolve(own.filter(({ key }) => key > after).slice(0, limit));
    },
  };
  return { ...made, limits };
}

/** All pages, one after the other. */
async function pagesOf(sections: readonly ExportedSection[], userId = 'ada') {
  const pages: string[][] = [];
  for (let cursor = ''; pages.length < 100;) {
    const asked = { cursor };
    const page = await as(userId, () => exportPage(sections, sealer, asked));
    pages.push(
      page.rows.map(({ section: name, json }) => `${name} ${(JSON.parse(json) as { index: number }).index}`),
    );
    if (page.nextCursor === '') return pages;
    cursor = page.nextCursor;
  }
  throw new Error('There are more than 100 pages');
}

// Rule: ACCT-35
describe('the pages of what a service holds of a user', () => {
  it('are one where there is little, in the order of the sections', async () => {
    const sections = [section('posts', rowsOf(2)), section('comments', []), section('likes', rowsOf(1))];
    expect(await pagesOf(sections)).toEqual([['posts 0', 'posts 1', 'likes 0']]);
  });

  it.each([
    ['a section is longer than a page', [450], [200, 200, 50]],
    ['a page ends with a section', [200, 3], [200, 3]],
    ['a page ends one row before the end of a section', [199, 3], [200, 2]],
    ['nothing follows a full page', [200], [200]],
    ['a section without rows follows a full page', [200, 0], [200]],
  ])('have each row once where %s', async (_, counts, lengths) => {
    const sections = counts.map((count, index) => section(`s${index}`, rowsOf(count)));
    const pages = await pagesOf(sections);
    expect(pages.map(({ length }) => length)).toEqual(lengths);
    const all = counts.flatMap((count, index) => rowsOf(count).map((_row, row) => `s${index} ${row}`));
    expect(pages.flat()).toEqual(all);
  });

  it('leave out what is not shown, which is read but once; a page may be empty', async () => {
    const rows = rowsOf(450).map((row, index) => (index < 210 ? { ...row, json: undefined } : row));
    const posts = section('posts', rows);
    const pages = await pagesOf([posts, section('likes', rowsOf(1))]);
    expect(pages.map(({ length }) => length)).toEqual([0, 190, 51]);
    expect([pages[1]![0], pages[2]!.at(-1)]).toEqual(['posts 210', 'likes 0']);
    expect(posts.limits).toEqual([201, 201, 201]);
  });

  it('read no more rows than a page has, and one', async () => {
    const posts = section('posts', rowsOf(450));
    await pagesOf([posts]);
    expect(posts.limits).toEqual([201, 201, 201]);
  });

  it('are shorter where rows are long; a single row may be longer than all', async () => {
    const sections = [
      section('posts', rowsOf(3, 'x'.repeat(100_000))),
      section('huge', rowsOf(2, 'x'.repeat(300_000))),
    ];
    expect(await pagesOf(sections)).toEqual([['posts 0', 'posts 1'], ['posts 2'], ['huge 0'], ['huge 1']]);
  });

  it('are those of the caller', async () => {
    expect(await pagesOf([section('posts', rowsOf(2))], 'ben')).toEqual([[]]);
    await expect(async () => exportPage([], sealer, { cursor: '' })).rejects.toMatchObject({
      code: 'not-authenticated',
    });
  });

  it('refuse a cursor of somebody else, and one of a section that is gone', async () => {
    const posts = section('posts', rowsOf(201));
    const { nextCursor: cursor } = await as('ada', () => exportPage([posts], sealer, { cursor: '' }));
    const refused = 'invalid-argument invalid-cursor';
    expect(await outcome(as('ben', () => exportPage([posts], sealer, { cursor })))).toBe(refused);
    expect(await outcome(as('ada', () => exportPage([section('other', [])], sealer, { cursor })))).toBe(
      refused,
    );
  });
});
