import { useMessages } from '../../../i18n/messages.js';
import classes from './pending-figure.module.css';

/** The grey shape of a figure that is not known yet. */
export function PendingFigure() {
  const { app } = useMessages();
  return <span className={classes.figure} role="img" aria-label={app.loading} />;
}
