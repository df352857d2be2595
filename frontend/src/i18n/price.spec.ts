import { describe, expect, it } from '@jest/globals';
import { price, toMinor } from './price.js';

// Rule: SUBS-6
describe('a price', () => {
  it.each([
    [40_000, 'MXN', 'MX$400.00'],
    [950, 'USD', '$9.50'],
    [0, 'USD', '$0.00'],
    [10_000_000, 'MXN', 'MX$100,000.00'],
  ])('of %s %s is %s', (minor, currency, shown) => expect(price(minor, currency, 'en')).toBe(shown));

  it('is rounded where a fraction cannot be written exactly', () => {
    expect([toMinor(9.5), toMinor(0.29), toMinor(1.005 * 100)]).toEqual([950, 29, 10_050]);
  });
});
