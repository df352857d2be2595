import classes from './pulse-mark.module.css';

interface PulseMarkProps {
  size?: number;
  /** Repeats the animation: the loading state. */
  beating?: boolean;
}

/** The logo: a line with one heartbeat. */
export function PulseMark({ size = 28, beating }: PulseMarkProps) {
  return (
    <svg
      className={beating ? classes.beating : undefined}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke="var(--pulso-mark)"
      strokeWidth="2.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M3 18h8l4-12 4 19 3-7h7" pathLength={1} />
    </svg>
  );
}
