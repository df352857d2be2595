import type { ReactNode } from 'react';
import { NoticeIcon } from './feedback/notice-icon.js';
import type { NoticeType } from './feedback/feedback-store.js';
import classes from './form-alert.module.css';

/** A message about the whole form; screen readers announce it. */
export function FormAlert({ type = 'error', children }: { type?: NoticeType; children: ReactNode }) {
  return (
    <div className={classes.alert} data-type={type} role={type === 'error' ? 'alert' : 'status'}>
      <NoticeIcon type={type} />
      <p>{children}</p>
    </div>
  );
}
