import { useQueryClient } from '@tanstack/react-query';
import type { DeviceSession } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { isNotFound } from '../../../server/http/api-error.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { SESSIONS } from './get-sessions.js';

interface Outcome {
  onEnded: () => void;
  onFailed: (error: Error) => void;
}

function useEnded(remains: (session: DeviceSession) => boolean, onEnded: () => void) {
  const queryClient = useQueryClient();
  return () => {
    queryClient.setQueryData<DeviceSession[]>(SESSIONS, (sessions) => sessions?.filter(remains));
    onEnded();
  };
}

/** DELETE /api/auth/sessions/{id}: signs the device out (ACCT-22). */
export function useEndSession(id: string, { onEnded, onFailed }: Outcome) {
  const onSuccess = useEnded((session) => session.id !== id, onEnded);
  return useSingleMutation({
    mutationFn: async () => {
      try {
        await unwrap(client.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }));
      } catch (error) {
        // It has ended meanwhile.
        if (!isNotFound(error)) throw error;
      }
    },
    onSuccess,
    onError: onFailed,
  });
}

/** DELETE /api/auth/sessions: signs all devices out but this one. */
export function useEndOtherSessions({ onEnded, onFailed }: Outcome) {
  const onSuccess = useEnded(({ current }) => current, onEnded);
  return useSingleMutation({
    mutationFn: () => unwrap(client.DELETE('/api/auth/sessions')),
    onSuccess,
    onError: onFailed,
  });
}
