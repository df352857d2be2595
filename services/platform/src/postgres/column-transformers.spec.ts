import { milliseconds, safeInteger } from './column-transformers.js';

describe('milliseconds', () => {
  it('are a date in the database and back', () => {
    expect(milliseconds.to(1_234)).toEqual(new Date(1_234));
    expect(milliseconds.from(new Date(1_234))).toBe(1_234);
  });

  it('skip absent values, and leave conditions unchanged', () => {
    const condition = { type: 'moreThan' };
    expect(milliseconds.from(null)).toBeNull();
    for (const value of [null, undefined, condition]) expect(milliseconds.to(value)).toBe(value);
  });
});

describe('safeInteger', () => {
  it('is text from the database', () => {
    expect(safeInteger.from('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(safeInteger.from(null)).toBeNull();
    expect(safeInteger.to(7)).toBe(7);
  });
});
