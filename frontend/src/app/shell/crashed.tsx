import { Button } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { LoadFailure } from '../../components/lazy-component.js';
import { useTexts } from '../../i18n/texts.js';
import classes from './shell.module.css';

/** Replaces a page that threw, or whose code could not be loaded; the latter can be retried, and is when the network is back. */
export function Crashed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { app } = useTexts();
  const notLoaded = error instanceof LoadFailure;
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!notLoaded) return;
    const onOnline = () => retry();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [notLoaded]);
  if (notLoaded) {
    return (
      <div className={classes.crash} role="alert">
        <p>{app.loadFailed}</p>
        <div className={classes.crashActions}>
          <Button onClick={onRetry}>{app.retry}</Button>
          <Button variant="default" onClick={() => location.reload()}>
            {app.reload}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className={classes.crash} role="alert">
      <p>{app.crashed}</p>
      <Button onClick={() => location.reload()}>{app.reload}</Button>
    </div>
  );
}
