import { clearFeedback } from '../components/feedback/feedback-store.js';
import { session, viewerId } from '../session/session.js';
import { queryClient } from './query-client.js';

/** Answers depend on the viewer: when the viewer changes, drops what was read for the previous one. */
export function followSession(): void {
  let viewer = viewerId();
  session.subscribe(() => {
    if (session.getState().status === 'booting' || viewerId() === viewer) return;
    viewer = viewerId();
    clearFeedback();
    // Deferred until the guards have left pages that are no longer allowed; the others are read again.
    setTimeout(() => {
      queryClient.getMutationCache().clear();
      queryClient.removeQueries({ type: 'inactive' });
      void queryClient.resetQueries();
    });
  });
  window.addEventListener('online', session.retryNow);
}
