import { Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { lazyComponent } from '../components/lazy-component.js';
import { lazyWithQueries } from '../components/lazy-with-queries.js';
import { CardSkeletons, PageLoading } from '../components/states.js';
import { GuestsOnly, SignedInOnly } from './guards.js';
import { PAGES } from './pages.js';
import type { Page } from './pages.js';
import { Shell } from './shell/shell.js';

const ROUTES = PAGES.map(({ path, audience, load, plain }) => {
  const lazy = plain ? lazyComponent : lazyWithQueries;
  const Component = lazy(async () => (await load()).default);
  return { path, audience, element: <Component /> };
});

const routesFor = (wanted: Page['audience']) =>
  ROUTES.filter(({ audience }) => audience === wanted).map(({ path, element }) => (
    <Route key={path} path={path} element={element} />
  ));

/** Pages that do not consist of cards. */
const WITHOUT_CARDS = new Set(['/', '/login', '/signup', '/messages', '/unsubscribe']);

/** The shape of the page whose code is loading. */
function PageSkeleton() {
  const { pathname } = useLocation();
  return WITHOUT_CARDS.has(pathname) ? <PageLoading /> : <CardSkeletons />;
}

/** UI-1. */
export function AppRoutes() {
  return (
    <Shell>
      <Suspense fallback={<PageSkeleton />}>
        <Routes>
          <Route element={<GuestsOnly />}>{routesFor('guests')}</Route>
          <Route element={<SignedInOnly />}>{routesFor('members')}</Route>
          {routesFor('everyone')}
        </Routes>
      </Suspense>
    </Shell>
  );
}
