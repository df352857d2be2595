import { Suspense, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { ErrorBoundary } from '../../components/error-boundary.js';
import { FeedbackHost } from '../../components/feedback/feedback-host.js';
import { LazyDialog } from '../../components/lazy-dialog.js';
import { lazyComponent } from '../../components/lazy-component.js';
import { lazyWithQueries } from '../../components/lazy-with-queries.js';
import { PHONE } from '../../components/back-closes.js';
import { reach, SEARCH, useGoTo } from '../../components/shortcuts/targets.js';
import { useShortcuts } from '../../components/shortcuts/use-shortcuts.js';
import { useKnownMedia, useMedia } from '../../components/use-media.js';
import { useTexts } from '../../i18n/texts.js';
import { expectsSession, useCurrentUser, useSession } from '../../server/session/session.js';
import { ConnectionNotice } from './connection-notice.js';
import { pageAt } from '../pages.js';
import { Crashed } from './crashed.js';
import { shortcutsOf } from './destinations.js';
import { Header } from './header.js';
import { useMembersCode } from './members-code.js';
import { RouteEffects } from './route-effects.js';
import { SessionNotice } from './session-notice.js';
import classes from './shell.module.css';
import { usePrefetch } from './use-prefetch.js';

const ShortcutsDialog = lazyComponent(() =>
  import('../../components/shortcuts/shortcuts-dialog.js').then((module) => module.ShortcutsDialog),
);

const SideColumn = lazyWithQueries(() => import('./side-column.js').then((module) => module.SideColumn));

/** Pages that use the whole width: the landing page that of the window, the others that of the shell. */
const WITHOUT_SIDE = new Set(['/', '/login', '/signup', '/coaches']);
/** `screen`: the page is as high as the window, and scrolls within itself. */
const LAYOUTS: Readonly<Record<string, 'window' | 'screen'>> = { '/': 'window', '/messages': 'screen' };
const SIDE = '(min-width: 1100px)';

/** The frame of every page: header, main column, side column, dialogs and toasts; on phones a bar at the bottom (UI-49). */
export function Shell({ children }: { children: ReactNode }) {
  const { app } = useTexts();
  const { key, pathname } = useLocation();
  const viewer = useCurrentUser();
  const restoring = useSession().status === 'booting' && expectsSession();
  const members = useMembersCode(viewer !== undefined || restoring);
  const phone = useMedia(PHONE);
  const wide = useKnownMedia(SIDE);
  // One element for each page: React would make anew what the server has rendered and has not come to life yet.
  const side = useMemo(
    () => (
      // The page works without it: when its code cannot be loaded, the column stays empty.
      <ErrorBoundary resetKey={key} fallback={null}>
        <Suspense>
          <SideColumn />
        </Suspense>
      </ErrorBoundary>
    ),
    [key],
  );
  // The router knows a page in other cases of letters, too, and with slashes behind it.
  const { path } = pageAt(pathname).page;
  const layout = LAYOUTS[path] ?? (WITHOUT_SIDE.has(path) ? 'whole' : 'columns');
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const [searchOpen, setSearchOpen] = useState(false);
  const goTo = useGoTo();
  usePrefetch();
  const known = viewer ? 'member' : restoring ? undefined : 'guest';
  const shortcuts = shortcutsOf(known).map((target) => [target.key, () => goTo(target)] as const);
  // The directory has a field of its own; visitors may search coaches alone.
  const search = () => {
    if (!reach(SEARCH) && members) setSearchOpen(true);
  };
  useShortcuts({
    ...Object.fromEntries(shortcuts),
    ...(viewer && { [SEARCH.key]: search }),
    '?': () => setShortcutsOpen(true),
  });

  return (
    <>
      <a href="#main" className={classes.skip}>
        {app.skipToContent}
      </a>
      <Header onShortcuts={() => setShortcutsOpen(true)} onSearch={() => setSearchOpen(true)} />
      <div className={classes.frame} data-layout={layout}>
        <main id="main" tabIndex={-1} className={classes.main}>
          <ErrorBoundary
            resetKey={key}
            fallback={(error, retry) => <Crashed error={error} onRetry={retry} />}
          >
            {children}
          </ErrorBoundary>
        </main>
        {wide !== false && layout === 'columns' && side}
      </div>
      {members && viewer && phone && <members.BottomBar viewer={viewer} />}
      {members && viewer && <members.KeptUpToDate viewerId={viewer.id} />}
      <RouteEffects />
      <SessionNotice />
      <ConnectionNotice />
      <FeedbackHost />
      {members && viewer && searchOpen && <members.PeopleSearch onClose={() => setSearchOpen(false)} />}
      {shortcutsOpen && (
        <LazyDialog onClose={() => setShortcutsOpen(false)}>
          <ShortcutsDialog onClose={() => setShortcutsOpen(false)} />
        </LazyDialog>
      )}
    </>
  );
}
