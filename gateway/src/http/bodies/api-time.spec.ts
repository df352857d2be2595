import fc from 'fast-check';
import { apiTime } from './api-time.js';

// Rule: HTTP-1
describe('apiTime', () => {
  it('writes what Date does, for every millisecond', () => {
    const millisecond = fc.integer({ min: Date.UTC(1969, 0, 1), max: Date.UTC(2200, 0, 1) });
    fc.assert(
      fc.property(millisecond, (time) => {
        expect(apiTime(time)).toBe(new Date(time).toISOString());
      }),
      { numRuns: 2000 },
    );
  });

  it('is right on both sides of midnight and in a leap year', () => {
    for (const time of [0, -1, Date.UTC(2024, 1, 29, 23, 59, 59, 999), Date.UTC(2024, 2, 1)]) {
      expect(apiTime(time)).toBe(new Date(time).toISOString());
    }
  });
});
