import { Link } from 'react-router-dom';
import { useMessages } from '../i18n/messages.js';
import classes from './site-footer.module.css';

/** The links of the site itself. */
export function SiteFooter() {
  const { app, footer } = useMessages();
  return (
    <footer className={classes.footer}>
      <nav className={classes.links} aria-label={footer.label}>
        <Link to="/coaches">{footer.coaches}</Link>
        <a href="/api/docs">{footer.api}</a>
      </nav>
      <span>
        {app.name}, {footer.tagline}
      </span>
    </footer>
  );
}
