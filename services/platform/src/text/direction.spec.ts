import { Dice } from '@pulso/platform/testing/seeded';
import { closedDirections } from './direction.js';

// Rule: HTTP-27
describe('closedDirections', () => {
  it.each([
    ['an override that is never ended', 'a\u202eb', 'ab'],
    ['an isolate that is never ended', '\u2067a', 'a'],
    ['an end without a beginning', 'a\u202cb\u2069', 'ab'],
    ['an embedding that is ended as an isolate', '\u202ba\u2069b', 'ab'],
    ['the outer one that is not ended', '\u202e\u2066a\u2069b', '\u2066a\u2069b'],
    ['both where they cross', '\u2066a\u202eb\u2069c', 'abc'],
  ])('removes %s', (_what, text, closed) => {
    expect(closedDirections(text)).toBe(closed);
  });

  it.each([
    'Ana',
    '\u2067שלום\u2069 Ana',
    'a \u202b\u202dשלום\u202c\u202c b',
    'می‌خواهم\u200f',
    '💪\u2068💪\u2069',
  ])('leaves %j as it is', (text) => {
    expect(closedDirections(text)).toBe(text);
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
