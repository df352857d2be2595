import type { ReactNode } from 'react';
import classes from './pages.module.css';

/** The column of 640 px of feed, posts and profiles. */
export function Column({ children }: { children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}
