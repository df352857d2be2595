import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { FeedbackHost } from '../../components/feedback/feedback-host.js';
import { useShortcuts } from '../../components/shortcuts/use-shortcuts.js';
import { useMessages } from '../../i18n/messages.js';
import { ErrorBoundary } from './error-boundary.js';
import { Header } from './header.js';
import { RouteEffects } from './route-effects.js';
import classes from './shell.module.css';

const ShortcutsDialog = lazy(() =>
  import('../../components/shortcuts/shortcuts-dialog.js').then((module) => ({
    default: module.ShortcutsDialog,
  })),
);

/** What surrounds every page: header, main column, dialogs and toasts. */
export function Shell({ children }: { children: ReactNode }) {
  const { app } = useMessages();
  const { key } = useLocation();
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  useShortcuts({ '?': () => setShortcutsOpen(true) });

  return (
    <>
      <a href="#main" className={classes.skip}>
        {app.skipToContent}
      </a>
      <Header onShortcuts={() => setShortcutsOpen(true)} />
      <main id="main" tabIndex={-1} className={classes.main}>
        <ErrorBoundary resetKey={key}>{children}</ErrorBoundary>
      </main>
      <RouteEffects />
      <FeedbackHost />
      {shortcutsOpen && (
        <Suspense>
          <ShortcutsDialog onClose={() => setShortcutsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
