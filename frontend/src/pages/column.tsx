import type { ReactNode } from 'react';
import classes from './pages.module.css';

/** The one column of 640 px that feed, posts and profiles stand in. */
export function Column({ children }: { children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}
