import { checkPrice } from './price.js';

const refused = (priceMinor: number | undefined, currency = 'MXN') => {
  try {
    checkPrice({ priceMinor, currency });
    return 'taken';
  } catch (error) {
    return (error as { details: { errors: { code: string }[] } }).details.errors
      .map(({ code }) => code)
      .join();
  }
};

// Rule: SUBS-4
describe('a price', () => {
  it('is taken in steps of 0.5 from 0 to 100000, and away', () => {
    for (const minor of [0, 50, 39_950, 40_000, 10_000_000, undefined]) expect(refused(minor)).toBe('taken');
    expect(refused(50, '')).toBe('taken');
  });

  it('is refused below 0, above the most, between two steps and in other currencies', () => {
    expect([refused(-50), refused(-1)]).toEqual(['too-small', 'too-small']);
    expect(refused(10_000_050)).toBe('too-big');
    expect([refused(30), refused(49), refused(40_001)]).toEqual(Array(3).fill('invalid-step'));
    expect([refused(0, 'EUR'), refused(0, 'mxn')]).toEqual(Array(2).fill('invalid-currency'));
    expect(refused(-1, 'EUR')).toBe('too-small,invalid-currency');
  });
});
