import { forgetEarlyAnswers } from '../client/early-answers.js';
import { clearFeedback } from '../components/feedback/feedback-store.js';
import { session, viewerId } from '../session/session.js';
import { queryClient } from './query-client.js';

/** Answers depend on the viewer: when the viewer changes, drops what was read for the previous one. */
export function followSession(): void {
  let viewer = viewerId();
  let known = session.getState().status !== 'booting';
  session.subscribe(() => {
    if (session.getState().status === 'booting') return;
    const changed = known && viewerId() !== viewer;
    viewer = viewerId();
    // Calls that were sent before wait for the session.
    known = true;
    if (!changed) return;
    clearFeedback();
    forgetEarlyAnswers();
    // Deferred until the guards have left pages that are no longer allowed; the others are read again.
    setTimeout(() => {
      queryClient.getMutationCache().clear();
      queryClient.removeQueries({ type: 'inactive' });
      void queryClient.resetQueries();
    });
  });
  window.addEventListener('online', session.retryNow);
}
