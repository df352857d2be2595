import type { RatingSummary } from '@pulso/contracts/social/v1/social';

/** Average to one decimal, halves up; 0 without reviews. Ratings are integers, so halves are exact. */
export function ratingSummary({ sum, count }: { sum: number; count: number }): RatingSummary {
  const averageRating = count === 0 ? 0 : Math.round((sum * 10) / count) / 10;
  return { averageRating, totalReviews: count };
}
