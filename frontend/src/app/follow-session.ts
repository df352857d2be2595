import { forgetEarlyAnswers } from '../client/early-answers.js';
import { clearFeedback } from '../components/feedback/feedback-store.js';
import { session } from '../session/session.js';
import { whenViewerChanges } from '../session/when-viewer-changes.js';

/** Drops what was shown to the previous viewer, and what was asked for them; client/queries.tsx drops what they have read. */
export function followSession(): void {
  whenViewerChanges(() => {
    clearFeedback();
    forgetEarlyAnswers();
  });
  window.addEventListener('online', session.retryNow);
}
