import { Link } from 'react-router-dom';
import { useTexts } from '../i18n/texts.js';
import classes from './site-footer.module.css';

/** The links of the site itself. */
export function SiteFooter() {
  const { app, footer } = useTexts();
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
