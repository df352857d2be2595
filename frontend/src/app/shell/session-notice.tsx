import { useEffect } from 'react';
import { toast } from '../../components/feedback/feedback-store.js';
import { useMessages } from '../../i18n/messages.js';
import { useSession } from '../../session/session.js';

/** Tells whoever is left on a public page that the server has ended the session; /login says it above its form. */
export function SessionNotice() {
  const { app } = useMessages();
  const state = useSession();
  const ended = state.status === 'signed-out' && state.reason === 'ended';

  useEffect(() => {
    if (!ended) return;
    // After the guards have left the pages that are no longer allowed. As an error it stays until it is read.
    const timer = setTimeout(() => {
      if (window.location.pathname !== '/login') toast({ type: 'error', message: app.signedOut });
    });
    return () => clearTimeout(timer);
  }, [ended, app]);

  return null;
}
