import type { ReactNode } from 'react';
import classes from './badge.module.css';

interface BadgeProps {
  children: ReactNode;
  tone?: 'accent' | 'neutral';
  /** For text written by users, which may need more than one line. */
  long?: boolean;
}

export function Badge({ children, tone = 'neutral', long = false }: BadgeProps) {
  const look = `${classes.badge} ${tone === 'accent' ? classes.accent : ''} ${long ? classes.long : ''}`;
  return <span className={look}>{children}</span>;
}
