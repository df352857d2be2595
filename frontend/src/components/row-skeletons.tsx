import { useTexts } from '../i18n/texts.js';
import classes from './row-skeletons.module.css';
import { useDelayed } from './use-delayed.js';

interface RowSkeletonsProps {
  count: number;
  /** Of the list; it sets `--disc` and `--line`, the heights of the picture and of the two lines beside it. */
  className?: string;
}

/** Grey shapes of entries with a picture and two lines, while a list of them loads. */
export function RowSkeletons({ count, className }: RowSkeletonsProps) {
  const { app } = useTexts();
  const due = useDelayed();
  return (
    <div role="status" aria-label={app.loading} className={className}>
      {due &&
        Array.from({ length: count }, (_, index) => (
          <div key={index} className={classes.row} aria-hidden>
            <span />
            <span />
            <span />
          </div>
        ))}
    </div>
  );
}
