import { describe, expect, it } from '@jest/globals';
import { aReview } from '../../../../test/a-post.js';
import { withoutMine } from './review-cache.js';
import type { ReviewPages } from './review-cache.js';

const rated = (id: string, rating: number) => aReview({ id, rating });
const listOf = (ratings: number[], averageRating: number): ReviewPages => {
  const items = ratings.map((rating, index) => rated(String(index), rating));
  const summary = { averageRating, totalReviews: items.length };
  return { pages: [{ items, nextCursor: null, summary, mine: items[0] ?? null }] };
};

// Rule: UI-56
describe('reviews without the viewer’s own', () => {
  it.each([
    [[2], 2, 0],
    [[2, 5], 3.5, 5],
    [[1, 4, 4], 3, 4],
    [[4, 4, 5], 4.3, 4.5],
  ])('of %j, with an average of %d, have one of %d', (ratings, before, after) => {
    const [page] = withoutMine(listOf(ratings, before)).pages;
    expect(page?.items.map(({ id }) => id)).toEqual(ratings.slice(1).map((_, index) => String(index + 1)));
    expect(page?.summary).toEqual({ averageRating: after, totalReviews: ratings.length - 1 });
    expect(page?.mine).toBeNull();
  });

  it('are the same where there is none', () => {
    const none = listOf([], 0);
    expect(withoutMine(none)).toBe(none);
  });
});
