import { useCallback } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { ReturnFocusTo } from '../components/menu/menu-entry.js';
import { MessagesScreen } from '../features/messages/components/messages-screen.js';
import { usePeopleActions } from '../features/people/use-people-actions.js';
import { useCurrentUser } from '../server/session/session.js';

/** /messages, with `?with={userId}` the conversation with that user (MSG-15). */
export default function MessagesPage() {
  const viewer = useCurrentUser();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const wanted = params.get('with') || undefined;
  const { personEntries, report, unblock, unblocking, dialog } = usePeopleActions({
    onBlocked: (userId) => {
      if (userId !== wanted) return;
      // Neither sees the conversation any more (MSG-9), and its menu, which has the focus, goes with it.
      void navigate('/messages', { replace: true });
      document.getElementById('main')?.focus({ preventScroll: true });
    },
  });
  const onReport = useCallback(
    (subjectId: string, returnFocusTo: ReturnFocusTo) =>
      report({ subjectType: 'message', subjectId, returnFocusTo }),
    [report],
  );
  if (!viewer) return null;
  return (
    <>
      <MessagesScreen
        viewer={viewer}
        // Nobody writes to themselves.
        openWith={wanted === viewer.id ? undefined : wanted}
        personEntries={personEntries}
        unblock={unblock}
        unblocking={unblocking}
        onReport={onReport}
      />
      {dialog}
    </>
  );
}
