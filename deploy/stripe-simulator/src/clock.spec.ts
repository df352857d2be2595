import { after } from './clock.js';

const at = (text: string) => Date.parse(text) / 1000;
const shown = (seconds: number) => new Date(seconds * 1000).toISOString();

describe('periods', () => {
  it('of months begun on the 31st end on the last day of shorter ones', () => {
    const anchor = at('2027-12-31T12:34:56Z');
    expect([1, 2, 3, 4].map((count) => shown(after(anchor, 'month', count)))).toEqual([
      '2028-01-31T12:34:56.000Z',
      '2028-02-29T12:34:56.000Z',
      '2028-03-31T12:34:56.000Z',
      '2028-04-30T12:34:56.000Z',
    ]);
  });

  it('are of days, weeks and years, too', () => {
    const anchor = at('2028-02-29T00:00:00Z');
    expect(shown(after(anchor, 'day', 2))).toBe('2028-03-02T00:00:00.000Z');
    expect(shown(after(anchor, 'week', 1))).toBe('2028-03-07T00:00:00.000Z');
    expect(shown(after(anchor, 'year', 1))).toBe('2029-02-28T00:00:00.000Z');
  });
});
