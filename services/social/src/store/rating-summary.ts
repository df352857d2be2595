import type { RatingSummary } from '@pulso/contracts/social/v1/social';
import type { Figures } from './user-figures.entity.js';

type RatingFigures = Pick<Figures, 'ratingSum' | 'reviewCount'>;

/** Average to one decimal, halves up; 0 without reviews. Ratings are integers, so halves are exact. */
export function ratingSummary({ ratingSum, reviewCount }: RatingFigures): RatingSummary {
  const averageRating = reviewCount === 0 ? 0 : Math.round((ratingSum * 10) / reviewCount) / 10;
  return { averageRating, totalReviews: reviewCount };
}
