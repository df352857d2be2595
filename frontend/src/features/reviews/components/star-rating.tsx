import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useId } from 'react';
import { useReviewMessages } from '../messages.js';
import classes from './reviews.module.css';

interface StarRatingProps {
  value: number;
  onChange: (rating: number) => void;
  error?: string;
}

/** One to five stars: radio buttons underneath, so arrow keys choose. */
export function StarRating({ value, onChange, error }: StarRatingProps) {
  const { reviews } = useReviewMessages();
  const name = useId();
  return (
    <fieldset className={classes.rating}>
      <legend className={classes.legend}>{reviews.yourRating}</legend>
      <div className={classes.choices}>
        {[1, 2, 3, 4, 5].map((star) => {
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
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
