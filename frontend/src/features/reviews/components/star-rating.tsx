import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useId } from 'react';
import { LIMITS } from '../../../api/limits.js';
import { useReviewTexts } from '../texts.js';
import classes from './reviews.module.css';

const STARS = Array.from(
  { length: LIMITS.highestRating - LIMITS.lowestRating + 1 },
  (_, index) => LIMITS.lowestRating + index,
);

interface StarRatingProps {
  value: number;
  onChange: (rating: number) => void;
  error?: string;
}

/** One to five stars: radio buttons underneath, so arrow keys choose. */
export function StarRating({ value, onChange, error }: StarRatingProps) {
  const { reviews } = useReviewTexts();
  const name = useId();
  return (
    <fieldset className={classes.rating}>
      <legend className={classes.legend}>{reviews.yourRating}</legend>
      <div className={classes.choices}>
        {STARS.map((star) => {
          const Icon = star <= value ? IconStarFilled : IconStar;
          return (
            <label key={star} className={classes.choice} data-on={star <= value || undefined}>
              <input
                type="radio"
                name={name}
                value={star}
                checked={star === value}
                aria-label={reviews.star(star)}
                onChange={() => onChange(star)}
              />
              <Icon size={28} stroke={1.5} aria-hidden />
            </label>
          );
        })}
      </div>
      {error && (
        <p className={`field-error ${classes.error}`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
