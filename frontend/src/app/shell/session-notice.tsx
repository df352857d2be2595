import { useEffect } from 'react';
import { toast } from '../../components/feedback/feedback-store.js';
import { useTexts } from '../../i18n/texts.js';
import { useSession } from '../../server/session/session.js';

/** Tells a user on a public page that the server ended the session; /login shows it above its form. */
export function SessionNotice() {
  const { app } = useTexts();
  const state = useSession();
  const ended = state.status === 'signed-out' && state.reason === 'ended';

  useEffect(() => {
    if (!ended) return;
    // Deferred until the guards have left pages that are no longer allowed. Error toasts do not close by themselves.
    const timer = setTimeout(() => {
      if (window.location.pathname !== '/login') toast({ type: 'error', message: app.signedOut });
    });
    return () => clearTimeout(timer);
  }, [ended, app]);

  return null;
}
