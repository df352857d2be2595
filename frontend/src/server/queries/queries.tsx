import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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

/** For what reads from the server by queries: all of them share one cache. */
export function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
