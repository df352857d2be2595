import { useEffect, useSyncExternalStore } from 'react';
import {
  closeNotice,
  getFeedback,
  getNoFeedback,
  subscribeToFeedback,
  toast,
} from '../../components/feedback/feedback-store.js';
import type { Feedback } from '../../components/feedback/feedback-store.js';
import { useTexts } from '../../i18n/texts.js';

/** What was told before is no longer so. */
function takeBack(message: string): void {
  for (const notice of getFeedback().toasts) if (notice.message === message) closeNotice(notice.id);
}

const shows = ({ dialogs, toasts }: Feedback, message: string): boolean =>
  [...dialogs, ...toasts].some((notice) => notice.message === message);

/**
 * Says when the network goes, before anything fails, and when it is back. An act that fails for that reason says so itself:
 * then there is only the one message.
 */
export function ConnectionNotice() {
  const { app } = useTexts();
  const feedback = useSyncExternalStore(subscribeToFeedback, getFeedback, getNoFeedback);
  const second = shows(feedback, app.offline)
    ? feedback.toasts.find(({ message }) => message === app.wentOffline)
    : undefined;
  useEffect(() => {
    if (second) closeNotice(second.id);
  }, [second]);

  useEffect(() => {
    const onOffline = () => {
      takeBack(app.backOnline);
      if (!shows(getFeedback(), app.offline)) toast({ type: 'warning', message: app.wentOffline });
    };
    const onOnline = () => {
      takeBack(app.wentOffline);
      takeBack(app.offline);
      toast({ type: 'success', message: app.backOnline });
    };
    window.addEventListener('offline', onOffline);
    window.addEventListener('online', onOnline);
    return () => {
      window.removeEventListener('offline', onOffline);
      window.removeEventListener('online', onOnline);
    };
  }, [app]);
  return null;
}
