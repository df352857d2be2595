import type { ReactNode } from 'react';
import classes from './badge.module.css';

interface BadgeProps {
  children: ReactNode;
  /** For text written by users, which may need more than one line. */
  long?: boolean;
}

export function Badge({ children, long = false }: BadgeProps) {
  return <span className={`${classes.badge} ${long ? classes.long : ''}`}>{children}</span>;
}
