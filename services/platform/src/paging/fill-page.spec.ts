import { fillPage } from './fill-page.js';
import { MAX_TURNS } from './turns.js';

const ROWS = 1_000;

/** A page of the numbers from 0 on, of which the reader may see those that `mayRead` says. */
function page(mayRead: (row: number) => boolean, { after, size }: { after?: number; size: number }) {
  const limits: number[] = [];
  const filling = fillPage({
    ...{ after, size },
    read: async (from = -1, limit) => {
      limits.push(limit);
      return Array.from({ length: Math.min(limit, ROWS - from - 1) }, (_, index) => from + 1 + index);
    },
    shown: async (rows) => rows.filter(mayRead).map((row) => ({ row })),
    placeOf: (row) => row,
  });
  return filling.then(({ found, next }) => ({ found: found.map(({ row }) => row), next, limits }));
}

// Rule: HTTP-5
describe('a page of what its reader may see', () => {
  it('is read at once where they see everything', async () => {
    expect(await page(() => true, { size: 3 })).toEqual({ found: [0, 1, 2], next: 2, limits: [4] });
  });

  it('begins after the place', async () => {
    expect(await page(() => true, { after: 5, size: 2 })).toMatchObject({ found: [6, 7], next: 7 });
  });

  it('ends where nothing more is shown', async () => {
    const { found, next } = await page((row) => row !== ROWS - 1, { after: ROWS - 4, size: 2 });
    expect([found, next]).toEqual([[ROWS - 3, ROWS - 2], undefined]);
  });

  it('goes on to replace what they may not see', async () => {
    const seen = await page((row) => row >= 50, { size: 2 });
    expect(seen).toEqual({ found: [50, 51], next: 51, limits: [3, 100] });
  });

  it('stays short after its turns, and leads on', async () => {
    const { found, next, limits } = await page((row) => row === 0, { size: 2 });
    expect(limits).toHaveLength(MAX_TURNS);
    expect([found, next]).toEqual([[0], 302]);
  });
});
