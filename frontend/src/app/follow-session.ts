import { clearFeedback } from '../components/feedback/feedback-store.js';
import { session, viewerId } from '../session/session.js';
import { queryClient } from './query-client.js';

/** Answers depend on the viewer: when that changes, nothing read before may be shown any more. */
export function followSession(): void {
  let viewer = viewerId();
  session.subscribe(() => {
    if (session.getState().status === 'booting' || viewerId() === viewer) return;
    viewer = viewerId();
    clearFeedback();
    // After the guards have left the pages that are no longer allowed; what stays is read again.
    setTimeout(() => {
      queryClient.getMutationCache().clear();
      queryClient.removeQueries({ type: 'inactive' });
      void queryClient.resetQueries();
    });
  });
  window.addEventListener('online', session.retryNow);
}
