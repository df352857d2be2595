import { authorBonus, feedScore } from './feed-ranking.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 20);
const nobody = { own: false, followed: false, subscribed: false };

describe('feed ranking (FEED-3, FEED-4)', () => {
  // Rule: FEED-3
  it('adds the bonuses of the relation up', () => {
    expect(authorBonus(nobody)).toBe(0);
    expect(authorBonus({ ...nobody, own: true })).toBe(1500);
    expect(authorBonus({ ...nobody, followed: true })).toBe(2000);
    expect(authorBonus({ ...nobody, subscribed: true })).toBe(3000);
    expect(authorBonus({ ...nobody, followed: true, subscribed: true })).toBe(5000);
  });

  // Rule: FEED-4
  it('subtracts a point per hour from 1000 points of recency, to the millisecond and not below 0', () => {
    expect(feedScore(0, NOW, NOW)).toBe(1000 * HOUR_MS);
    expect(feedScore(0, NOW - 1, NOW)).toBe(1000 * HOUR_MS - 1);
    expect(feedScore(0, NOW - 999.5 * HOUR_MS, NOW)).toBe(0.5 * HOUR_MS);
    expect(feedScore(0, NOW - 1000 * HOUR_MS, NOW)).toBe(0);
    expect(feedScore(0, NOW - 5000 * HOUR_MS, NOW)).toBe(0);
    expect(feedScore(2000, NOW - HOUR_MS, NOW)).toBe(2999 * HOUR_MS);
  });

  it('ranks a followed author’s post of 500 hours ago like an own post of now', () => {
    expect(feedScore(2000, NOW - 500 * HOUR_MS, NOW)).toBe(feedScore(1500, NOW, NOW));
  });
});
