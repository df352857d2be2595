import { useNavigate } from 'react-router-dom';
import { toast } from '../../components/feedback/feedback-store.js';
import { useMessages } from '../../i18n/messages.js';
import { session } from '../../session/session.js';

/** Ends the session and returns to /. Where the server cannot be told, the user stays signed in and reads why. */
export function useLogOut(): () => Promise<void> {
  const { app } = useMessages();
  const navigate = useNavigate();
  return async () => {
    try {
      await session.signOut();
      await navigate('/');
    } catch {
      toast({ type: 'error', message: app.offline });
    }
  };
}
