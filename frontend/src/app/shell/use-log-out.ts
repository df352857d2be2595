import { useNavigate } from 'react-router-dom';
import { errorText } from '../../api/api-error.js';
import { toast } from '../../components/feedback/feedback-store.js';
import { settle } from '../../components/feedback/undoable.js';
import { useTexts } from '../../i18n/texts.js';
import { session } from '../../session/session.js';

/**
 * Ends the session and returns to /. What can still be taken back is sent before. If a call fails, the user stays signed
 * in and sees an error.
 */
export function useLogOut(): () => Promise<void> {
  const texts = useTexts();
  const navigate = useNavigate();
  return async () => {
    if (!(await settle())) return;
    try {
      await session.signOut();
      await navigate('/');
    } catch (error) {
      toast({ type: 'error', message: errorText(error, texts.app.unavailable, texts) });
    }
  };
}
