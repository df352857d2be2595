import type { ReactNode } from 'react';
import classes from '../pages.module.css';

/** The main column of feed, posts and profiles; the shell gives its width. */
export function Column({ children }: { children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}
