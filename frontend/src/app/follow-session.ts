import { forgetEarlyAnswers } from '../server/client/early-answers.js';
import { clearFeedback } from '../components/feedback/feedback-store.js';
import { session } from '../server/session/session.js';
import { whenViewerChanges } from '../server/session/when-viewer-changes.js';

/** Drops what was shown to the previous viewer, and what was asked for them; server/queries/queries.tsx drops what they have read. */
export function followSession(): void {
  whenViewerChanges(() => {
    clearFeedback();
    forgetEarlyAnswers();
  });
  window.addEventListener('online', session.retryNow);
}
