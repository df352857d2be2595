import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorText } from '../server/http/api-error.js';
import { useTexts } from '../i18n/texts.js';
import { PulseMark } from './pulse-mark.js';
import classes from './states.module.css';
import { useDelayed } from './use-delayed.js';

interface CardSkeletonsProps {
  count?: number;
  /** The layout class of the list; by default one card below the other. */
  className?: string;
}

/** Grey card shapes while a list loads. */
export function CardSkeletons({ count = 3, className = classes.stack }: CardSkeletonsProps) {
  const { app } = useTexts();
  const due = useDelayed();
  return (
    <div role="status" aria-label={app.loading} className={className}>
      {due &&
        Array.from({ length: count }, (_, index) => (
          <div key={index} className={`card ${classes.skeleton}`} aria-hidden>
            <span className={classes.disc} />
            <span className={classes.shortLine} />
            <span className={classes.line} />
            <span className={classes.line} />
          </div>
        ))}
    </div>
  );
}

/** The animated logo while a whole page loads. */
export function PageLoading() {
  const { app } = useTexts();
  const due = useDelayed();
  return (
    <div role="status" aria-label={app.loading} className={classes.page}>
      {due && <PulseMark size={48} beating />}
    </div>
  );
}

interface EmptyProps {
  children: ReactNode;
  action?: ReactNode;
}

/** An empty list: one sentence and one action. */
export function Empty({ children, action }: EmptyProps) {
  return (
    <div className={`card ${classes.message}`}>
      <p className={classes.text}>{children}</p>
      {action}
    </div>
  );
}

interface LoadErrorProps {
  error: unknown;
  onRetry: () => void;
  fallback?: string;
}

export function LoadError({ error, onRetry, fallback }: LoadErrorProps) {
  const texts = useTexts();
  return (
    <div className={`card ${classes.message}`} role="alert">
      <p className={classes.text}>{errorText(error, fallback ?? texts.app.loadFailed, texts)}</p>
      <Button variant="default" onClick={onRetry}>
        {texts.app.retry}
      </Button>
    </div>
  );
}
