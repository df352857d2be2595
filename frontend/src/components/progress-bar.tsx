import classes from './progress-bar.module.css';

interface ProgressBarProps {
  label: string;
  /** 0 to 100. Screen readers are told whole ones, never 100 before all is done. */
  percent: number;
  /** What screen readers say in place of the percentage. */
  text?: string;
}

/** How much of something is done. */
export function ProgressBar({ label, percent, text }: ProgressBarProps) {
  return (
    <span
      className={classes.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(percent)}
      aria-valuetext={text}
    >
      <span className={classes.done} style={{ width: `${percent}%` }} />
    </span>
  );
}
