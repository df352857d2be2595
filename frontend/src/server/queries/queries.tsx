import { QueryClientContext, QueryClientProvider } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { use } from 'react';
import type { ReactNode } from 'react';
import type { PageData } from '../../browser/page-data.js';
import { whenViewerChanges } from '../session/when-viewer-changes.js';
import { queryClient } from './query-client.js';

// Answers depend on the viewer. Deferred until the guards have left pages that are no longer allowed; the others are read
// again.
whenViewerChanges(() =>
  setTimeout(() => {
    queryClient.getMutationCache().clear();
    queryClient.removeQueries({ type: 'inactive' });
    void queryClient.resetQueries();
  }),
);

/** For what reads from the server by queries: all of them share one cache, that of the tab or of the page being rendered. */
export function Queries({ children }: { children: ReactNode }) {
  const above = use(QueryClientContext);
  return <QueryClientProvider client={above ?? queryClient}>{children}</QueryClientProvider>;
}

/** Whether the browser has taken the document from what it has kept, however old. */
const isKept = (): boolean => {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'back_forward';
};

/**
 * What a rendered page was made of counts as read now, in a document that was kept as old: then each part reads its data again when it
 * comes to life (UI-68). What is there already stays.
 */
export function seedQueries(queries: PageData['queries']): void {
  const options = isKept() ? { updatedAt: 0 } : {};
  for (const [key, data] of queries) {
    const seed = (there: unknown) => (there === undefined ? data : undefined);
    queryClient.setQueryData(key as QueryKey, seed, options);
  }
}
