import { belongsInFeed, compareRanked } from './feed-oracle.js';

const nobody = { own: false, followed: false, subscribed: false };

describe('the rules by which the oracle orders a feed (FEED-1, FEED-5)', () => {
  // Rule: FEED-1
  it('shows posts for related readers alone to those related to the author (FEED-1)', () => {
    expect(belongsInFeed(nobody, false)).toBe(true);
    expect(belongsInFeed(nobody, true)).toBe(false);
    for (const relation of ['own', 'followed', 'subscribed']) {
      expect(belongsInFeed({ ...nobody, [relation]: true }, true)).toBe(true);
    }
  });

  // Rule: FEED-5
  it('orders by score, then by the greater id', () => {
    const posts = [
      { id: 'a', score: 2 },
      { id: 'b', score: 2 },
      { id: 'c', score: 1 },
      { id: 'a', score: 3 },
    ];
    expect(posts.toSorted(compareRanked).map(({ id, score }) => `${score}${id}`)).toEqual([
      '3a',
      '2b',
      '2a',
      '1c',
    ]);
    expect(compareRanked({ id: 'a', score: 1 }, { id: 'a', score: 1 })).toBe(0);
  });
});
