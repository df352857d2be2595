import { useSyncExternalStore } from 'react';
import { useHydrated } from '../use-hydrated.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { getFeedback, getNoFeedback, subscribeToFeedback } from './feedback-store.js';
import { NotificationDialog } from './notification-dialog.js';
import { Toasts } from './toasts.js';

/** Shows the notification dialog, the confirm dialog and the toasts. Once per page. */
export function FeedbackHost() {
  const { dialogs, toasts, question } = useSyncExternalStore(subscribeToFeedback, getFeedback, getNoFeedback);
  const hydrated = useHydrated();
  const [notice] = dialogs;
  return (
    <>
      {/* An element beside those that the server has rendered. */}
      {hydrated && <Toasts notices={toasts} />}
      {question && <ConfirmDialog key={question.id} question={question} />}
      {notice && <NotificationDialog key={notice.id} notice={notice} />}
    </>
  );
}
