import { useSyncExternalStore } from 'react';
import { ConfirmDialog } from './confirm-dialog.js';
import { getFeedback, subscribeToFeedback } from './feedback-store.js';
import { NotificationDialog } from './notification-dialog.js';
import { Toasts } from './toasts.js';

/** Shows the notification dialog, the confirm dialog and the toasts. Once per page. */
export function FeedbackHost() {
  const { dialogs, toasts, question } = useSyncExternalStore(subscribeToFeedback, getFeedback);
  const [notice] = dialogs;
  return (
    <>
      <Toasts notices={toasts} />
      {question && <ConfirmDialog key={question.id} question={question} />}
      {notice && <NotificationDialog key={notice.id} notice={notice} />}
    </>
  );
}
