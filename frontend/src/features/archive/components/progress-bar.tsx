import classes from './archive.module.css';

interface ProgressBarProps {
  label: string;
  /** 0 to 1. */
  share: number;
  /** What screen readers say in place of a percentage. */
  text?: string;
}

/** How much is done; never full before all is. */
export function ProgressBar({ label, share, text }: ProgressBarProps) {
  const percent = Math.floor(share * 100);
  return (
    <span
      className={classes.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text}
    >
      <span className={classes.done} style={{ width: `${share * 100}%` }} />
    </span>
  );
}
