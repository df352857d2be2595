import { Dice, uuidV7 } from '@pulso/platform/testing/seeded';
import { AuthorSet } from './author-set.js';
import { AuthorTable } from './author-table.js';

describe('author table', () => {
  it('numbers authors densely and finds them again, through growth', () => {
    const dice = new Dice(7);
    const ids = Array.from({ length: 10_000 }, (_, i) =>
      uuidV7(1_700_000_000_000 + (i >>> 3), dice.below(2 ** 30), dice.below(2 ** 32)),
    );
    const table = new AuthorTable();
    expect(ids.map((id) => table.intern(id))).toEqual(ids.map((_, i) => i));
    expect(ids.map((id) => table.intern(id))).toEqual(ids.map((_, i) => i));
    expect(ids.map((id) => table.find(id))).toEqual(ids.map((_, i) => i));
    expect(table.find(uuidV7(1, 2, 3))).toBeUndefined();
    expect(table.size).toBe(ids.length);
    expect(ids.map((_, author) => table.idOf(author))).toEqual(ids);
  });

  it('uses few bytes per author', () => {
    const table = new AuthorTable();
    for (let i = 0; i < 50_000; i++) table.intern(uuidV7(1_700_000_000_000 + i, i, i));
    expect(table.memoryBytes() / table.size).toBeLessThan(24);
  });

  it('refuses ids that are not UUIDs', () => {
    expect(() => new AuthorTable().intern('somebody')).toThrow(RangeError);
  });
});

describe('author set', () => {
  it.each([0, 1, 31, 32, 33, 5000])('of %d members contains exactly those', (count) => {
    const dice = new Dice(count);
    const members = new Set(Array.from({ length: count }, () => dice.below(20_000)));
    const set = new AuthorSet([...members]);
    const found = Array.from({ length: 20_000 }, (_, author) => author).filter((author) => set.has(author));
    expect(found).toEqual([...members].sort((a, b) => a - b));
  });
});
