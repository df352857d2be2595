import { queryClient } from '../../server/queries/query-client.js';
import { viewerId } from '../../server/session/session.js';
import { whenViewerChanges } from '../../server/session/when-viewer-changes.js';
import type { ImportRun } from './importing/import-run.js';

/** The import of this tab, until its end was read; it outlives the page of the settings. */
let current: ImportRun | undefined;
const listeners = new Set<() => void>();

export const getImport = (): ImportRun | undefined => current;

export function subscribeToImport(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Begins an import, or lets it go on. */
export async function runImport(run: ImportRun): Promise<void> {
  setImport(run);
  // Browsers do not keep a page with this listener in their back/forward cache.
  window.addEventListener('beforeunload', warn);
  const viewer = viewerId();
  await run.start();
  if (run.getView().phase !== 'running') window.removeEventListener('beforeunload', warn);
  // Whatever was read before lacks what is there now.
  if (viewerId() === viewer) void queryClient.invalidateQueries();
}

/** Its end was read. */
export const forgetImport = (): void => setImport(undefined);

function setImport(run: ImportRun | undefined): void {
  current = run;
  if (!run) window.removeEventListener('beforeunload', warn);
  for (const listener of listeners) listener();
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

whenViewerChanges(() => {
  current?.end();
  forgetImport();
});
