import { IconStarFilled } from '@tabler/icons-react';
import { LIMITS } from '../api/limits.js';
import type { Profile } from '../api/types.js';
import { useStarTexts } from './star-texts.js';
import classes from './stars.module.css';

const SCALE = Array.from({ length: LIMITS.highestRating }, (_, index) => index + 1);

/** Shows a rating as stars, exact to tenths. */
export function Stars({ rating, size = 18 }: { rating: number; size?: number }) {
  const texts = useStarTexts();
  const row = SCALE.map((star) => <IconStarFilled key={star} size={size} aria-hidden />);
  return (
    <span
      className={classes.stars}
      role="img"
      aria-label={texts.rating.stars(new Intl.NumberFormat(texts.locale).format(rating))}
    >
      <span className={classes.empty}>{row}</span>
      <span className={classes.filled} style={{ width: `${(rating / SCALE.length) * 100}%` }}>
        {row}
      </span>
    </span>
  );
}

/** The average, always with one decimal (PEOPLE-30). */
export const formatAverage = (average: number, locale: string): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(average);

/** A coach's average and number of reviews in one line; empty while the reviews service is down. */
export function RatingLine({ rating }: Pick<Profile, 'rating'>) {
  const texts = useStarTexts();
  const { averageRating, totalReviews } = rating;
  if (averageRating === null || totalReviews === null) return null;
  if (totalReviews === 0) return <span className={classes.quiet}>{texts.rating.none}</span>;
  return (
    <span className={classes.line}>
      <IconStarFilled size={16} className={classes.mark} aria-hidden />
      <span className={classes.average} aria-hidden>
        {formatAverage(averageRating, texts.locale)}
      </span>
      <span className="visually-hidden">
        {texts.rating.stars(formatAverage(averageRating, texts.locale))}
      </span>
      <span className={classes.quiet}>{texts.rating.count(totalReviews)}</span>
    </span>
  );
}
