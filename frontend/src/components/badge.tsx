import type { ReactNode } from 'react';
import classes from './badge.module.css';

interface BadgeProps {
  children: ReactNode;
  tone?: 'accent' | 'neutral';
  /** Text of people's own, which may need more than a line. */
  long?: boolean;
}

export function Badge({ children, tone = 'neutral', long = false }: BadgeProps) {
  const look = `${classes.badge} ${tone === 'accent' ? classes.accent : ''} ${long ? classes.long : ''}`;
  return <span className={look}>{children}</span>;
}
