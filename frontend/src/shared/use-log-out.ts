import { useNavigate } from 'react-router-dom';
import { errorText } from '../server/http/api-error.js';
import { confirm, toast } from '../components/feedback/feedback-store.js';
import { settle } from '../components/feedback/undoable.js';
import type { FocusTarget } from '../components/use-modal.js';
import { useTexts } from '../i18n/texts.js';
import { hasUnsent } from '../drafts/drafts.js';
import { session } from '../server/session/session.js';

/**
 * Ends the session and returns to /. Asks first where that deletes drafts (UI-41); after a No the `opener` of the menu has the
 * focus. What can still be taken back is sent before. If a call fails, the user stays signed in and sees an error.
 */
export function useLogOut(): (opener: FocusTarget) => Promise<void> {
  const texts = useTexts();
  const navigate = useNavigate();
  const { logout, askLogout, unsentIsLost } = texts.nav;
  const ask = (returnFocusTo: FocusTarget) =>
    confirm({
      title: askLogout,
      message: unsentIsLost,
      confirmLabel: logout,
      danger: true,
      returnFocusTo,
    });
  return async (opener) => {
    if (hasUnsent() && !(await ask(opener))) return;
    if (!(await settle())) return;
    try {
      await session.signOut();
      await navigate('/');
    } catch (error) {
      toast({ type: 'error', message: errorText(error, texts.app.unavailable, texts) });
    }
  };
}
