import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { lazyComponent } from '../components/lazy-component.js';
import { lazyWithQueries } from '../components/lazy-with-queries.js';
import { CameToLife } from './came-to-life.js';
import { GuestsOnly, SignedInOnly } from './guards.js';
import { PageSkeleton } from './page-skeleton.js';
import { loadQueries, PAGES, pageAt } from './pages.js';
import type { Page } from './pages.js';
import { Shell } from './shell/shell.js';

const ROUTES = PAGES.map(({ path, audience, load, plain }) => {
  const lazy = plain ? lazyComponent : lazyWithQueries;
  const Component = lazy(async () => (await load()).default);
  return { path, audience, element: <Component />, prepare: Component.prepare };
});

/**
 * Brings the code of the page at `pathname`, so that it is rendered at once. Resolves to the code of queries, unless the page
 * does without. A failure is told where the page is rendered, which loads it again.
 */
export async function preparePage(
  pathname: string,
): Promise<Awaited<ReturnType<typeof loadQueries>> | undefined> {
  const { page } = pageAt(pathname);
  const [queries] = await Promise.allSettled([
    page.plain ? undefined : loadQueries(),
    ROUTES[PAGES.indexOf(page)]!.prepare(),
  ]);
  return queries.status === 'fulfilled' ? queries.value : undefined;
}

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
