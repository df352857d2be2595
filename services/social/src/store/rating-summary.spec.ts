import { ratingSummary } from './rating-summary.js';

const averageOf = (...ratings: number[]) =>
  ratingSummary({ ratingSum: ratings.reduce((sum, rating) => sum + rating, 0), reviewCount: ratings.length })
    .averageRating;

// Rule: PEOPLE-30
describe('ratingSummary', () => {
  it('is zero without reviews', () => {
    expect(ratingSummary({ ratingSum: 0, reviewCount: 0 })).toEqual({ averageRating: 0, totalReviews: 0 });
  });

  it('rounds to one decimal', () => {
    expect(averageOf(4, 4, 5)).toBe(4.3);
    expect(averageOf(4, 5, 5)).toBe(4.7);
    expect(averageOf(5, 5, 5)).toBe(5);
  });

  it('rounds halves up', () => {
    expect(averageOf(4, 4, 4, 5)).toBe(4.3);
    expect(averageOf(1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2)).toBe(1.2);
  });
});
