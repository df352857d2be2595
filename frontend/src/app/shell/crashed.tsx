import { Button } from '@mantine/core';
import { useMessages } from '../../i18n/messages.js';
import classes from './shell.module.css';

/** In place of a page that broke. */
export function Crashed() {
  const { app } = useMessages();
  return (
    <div className={classes.crash} role="alert">
      <p>{app.crashed}</p>
      <Button onClick={() => location.reload()}>{app.reload}</Button>
    </div>
  );
}
