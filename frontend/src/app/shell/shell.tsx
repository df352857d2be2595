import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { ErrorBoundary } from '../../components/error-boundary.js';
import { FeedbackHost } from '../../components/feedback/feedback-host.js';
import { LazyDialog } from '../../components/lazy-dialog.js';
import { lazyComponent } from '../../components/lazy-component.js';
import { PUBLISHER, SEARCH, useGoTo } from '../../components/shortcuts/destinations.js';
import { useShortcuts } from '../../components/shortcuts/use-shortcuts.js';
import { useMessages } from '../../i18n/messages.js';
import { useCurrentUser } from '../../session/session.js';
import { Crashed } from './crashed.js';
import { Header } from './header.js';
import { RouteEffects } from './route-effects.js';
import { SessionNotice } from './session-notice.js';
import classes from './shell.module.css';

const ShortcutsDialog = lazyComponent(() =>
  import('../../components/shortcuts/shortcuts-dialog.js').then((module) => module.ShortcutsDialog),
);

/** The frame of every page: header, main column, dialogs and toasts. */
export function Shell({ children }: { children: ReactNode }) {
  const { app } = useMessages();
  const { key } = useLocation();
  const viewer = useCurrentUser();
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const goTo = useGoTo();
  useShortcuts({
    '?': () => setShortcutsOpen(true),
    '/': () => goTo(SEARCH),
    n: () => {
      if (viewer) goTo(PUBLISHER);
    },
  });

  return (
    <>
      <a href="#main" className={classes.skip}>
        {app.skipToContent}
      </a>
      <Header onShortcuts={() => setShortcutsOpen(true)} />
      <main id="main" tabIndex={-1} className={classes.main}>
        <ErrorBoundary resetKey={key} fallback={(error, retry) => <Crashed error={error} onRetry={retry} />}>
          {children}
        </ErrorBoundary>
      </main>
      <RouteEffects />
      <SessionNotice />
      <FeedbackHost />
      {shortcutsOpen && (
        <LazyDialog onClose={() => setShortcutsOpen(false)}>
          <ShortcutsDialog onClose={() => setShortcutsOpen(false)} />
        </LazyDialog>
      )}
    </>
  );
}
