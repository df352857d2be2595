import { readFileSync } from 'node:fs';
import { Dice } from '@pulso/platform/testing/seeded';
import { closedDirections } from './direction.js';

/** The frontend's own form of it passes the same. */
const CASES = JSON.parse(
  readFileSync(new URL('../../../../proto/test/directions.json', import.meta.url), 'utf8'),
) as { what: string; text: string; closed: string }[];

// Rule: HTTP-27
describe('closedDirections', () => {
  it.each(CASES)('removes $what', ({ text, closed }) => {
    expect(closedDirections(text)).toBe(closed);
  });

  it.each([5, 6])('leaves as many ends as beginnings, and nothing more to remove (seed %d)', (seed) => {
    const dice = new Dice(seed);
    const letters = [
      'a',
      'ש',
      '💪',
      '\u202a',
      '\u202b',
      '\u202c',
      '\u202d',
      '\u202e',
      '\u2066',
      '\u2067',
      '\u2068',
      '\u2069',
    ];
    for (let round = 0; round < 300; round += 1) {
      const text = Array.from({ length: dice.below(30) }, () => dice.pick(letters)).join('');
      const closed = closedDirections(text);
      const count = (pattern: RegExp) => closed.match(pattern)?.length ?? 0;
      expect([text, count(/[\u202a\u202b\u202d\u202e]/gu)]).toEqual([text, count(/\u202c/gu)]);
      expect([text, count(/[\u2066-\u2068]/gu)]).toEqual([text, count(/\u2069/gu)]);
      expect(closedDirections(closed)).toBe(closed);
      expect(closed.replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')).toBe(
        text.replace(/[\u202a-\u202e\u2066-\u2069]/gu, ''),
      );
    }
  });
});
