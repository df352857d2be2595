import fc from 'fast-check';
import { hasTooManyValues, MAX_JSON_VALUES } from './json-values.js';

const isTooMuch = (text: string) => hasTooManyValues(Buffer.from(text));
const listOf = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join()}]`;

describe('hasTooManyValues', () => {
  it.each([
    ['items', (count: number) => listOf(count - 1, '1')],
    ['fields', (count: number) => `{${Array.from({ length: count - 1 }, (_, i) => `"a${i}":1`).join()}}`],
    ['lists in lists', (count: number) => '['.repeat(count - 1) + ']'.repeat(count - 1)],
    ['objects', (count: number) => `{"a":`.repeat(count - 1) + '1' + '}'.repeat(count - 1)],
  ])('counts %s', (_name, text) => {
    expect([isTooMuch(text(MAX_JSON_VALUES)), isTooMuch(text(MAX_JSON_VALUES + 1))]).toEqual([false, true]);
  });

  it('counts nothing within texts, whatever they hold', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', 'a', '\n', 'é', '💪') });
    fc.assert(
      fc.property(text, (one) => {
        const many = JSON.stringify([one.repeat(2_000), ',[{'.repeat(2_000)]);
        expect(isTooMuch(many)).toBe(false);
      }),
    );
  });

  it('says so of texts that are no JSON, too, and ends with them', () => {
    expect([isTooMuch(','.repeat(MAX_JSON_VALUES)), isTooMuch('"\\'), isTooMuch('')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
