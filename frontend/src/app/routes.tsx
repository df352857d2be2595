import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { lazyComponent } from '../components/lazy-component.js';
import { lazyWithQueries } from '../components/lazy-with-queries.js';
import { CameToLife } from './came-to-life.js';
import { GuestsOnly, SignedInOnly } from './guards.js';
import { PageSkeleton } from './page-skeleton.js';
import { PAGES, pageAt } from './pages.js';
import type { Page } from './pages.js';
import { Shell } from './shell/shell.js';

const ROUTES = PAGES.map(({ path, audience, load, plain }) => {
  const lazy = plain ? lazyComponent : lazyWithQueries;
  const Component = lazy(async () => (await load()).default);
  return { path, audience, element: <Component />, prepare: Component.prepare };
});

/** Brings the code of the page at `pathname`, so that it is rendered at once. Rejects where it cannot be loaded. */
export const preparePage = (pathname: string): Promise<void> =>
  ROUTES[PAGES.indexOf(pageAt(pathname).page)]!.prepare();

const routesFor = (wanted: Page['audience']) =>
  ROUTES.filter(({ audience }) => audience === wanted).map(({ path, element }) => (
    <Route key={path} path={path} element={element} />
  ));

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
        <CameToLife />
      </Suspense>
    </Shell>
  );
}
