import { describe, expect, it } from '@jest/globals';
import { amountsOf, priceError, priceOf } from './price.js';
import { texts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

const error = (text: string) => priceError(text, { ...texts.en, ...en });

// Rule: SUBS-6
describe('a price that is typed', () => {
  it.each([
    ['400', 400],
    [' 400 ', 400],
    ['0', 0],
    ['9.5', 9.5],
    ['9,5', 9.5],
    ['9,50', 9.5],
    ['199,50', 199.5],
    ['0,500', 0.5],
    [',5', 0.5],
    ['5.', 5],
    ['0400', 400],
    ['1.234,50', 1234.5],
    ['1,234.50', 1234.5],
    ['12.345,5', 12_345.5],
    ['1.234.567', 1_234_567],
    ['1234,500', 1234.5],
    ['1 234,50', 1234.5],
    ['1\u00a0234.50', 1234.5],
    ['1\u202f234', 1234],
    ['1’234.50', 1234.5],
    ["1'234", 1234],
    ['١٩٩٫٥', 199.5],
    ['١٬٢٣٤٫٥', 1234.5],
    ['۱۹۹', 199],
    ['９．５', 9.5],
    ['９，５', 9.5],
    ['１９９', 199],
  ])('as %j is %d', (text, amount) => expect(priceOf(text)).toBe(amount));

  it.each(['', '  ', '\u00a0'])('as %j is none', (text) => {
    expect([priceOf(text), error(text)]).toEqual([null, undefined]);
  });

  it.each([
    ['1.500', [1.5, 1500]],
    ['1,500', [1.5, 1500]],
    ['12,345', [12.345, 12_345]],
    ['١٫٥٠٠', [1.5, 1500]],
  ])('as %j may be two amounts, and is none of them', (text, amounts) => {
    expect([amountsOf(text), priceOf(text)]).toEqual([amounts, undefined]);
    expect(error(text)).toBe(
      `“${text}” can be read as ${amounts[0]} or as ${amounts[1]}. Please write one of these.`,
    );
  });

  it.each([
    'free',
    '1e3',
    '0x10',
    '-5',
    '−5',
    '+5',
    '$9',
    '9 MXN',
    '4 00',
    '1.23.456',
    '1,234,5',
    '1.234.567,5,0',
    '1,2.3',
    '..',
    ',',
    '9²',
    '½',
    '①',
    '९',
    '9\u200b',
    'Infinity',
    '9,4',
    '100000,5',
    '1.234.567',
  ])('as %j is refused', (text) =>
    expect(error(text)).toBe('Please enter a price from 0 to 100,000 in steps of 0.5'),
  );

  it.each(['0', '100.000,0', '99.999,5', '9,5'])('as %j will do', (text) =>
    expect(error(text)).toBeUndefined(),
  );
});
