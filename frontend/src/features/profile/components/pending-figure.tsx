import { useTexts } from '../../../i18n/texts.js';
import classes from './pending-figure.module.css';

/** The grey shape of a figure that is not known yet. */
export function PendingFigure() {
  const { app } = useTexts();
  return <span className={classes.figure} role="img" aria-label={app.loading} />;
}
