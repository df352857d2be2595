import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../../server/client/client.js';
import { PASSKEYS } from '../../../shared/passkeys/passkeys.js';
import { SESSIONS } from './get-sessions.js';

interface PasswordChange {
  /** Not of an account without a password. */
  currentPassword?: string;
  password: string;
}

interface Outcome {
  onSaved: () => void;
  onFailed: (error: Error) => void;
}

/** POST /api/auth/password/change: the other sessions end (ACCT-9). The callbacks run even if the page has been left. */
export function useChangePassword({ onSaved, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: PasswordChange) => unwrap(client.POST('/api/auth/password/change', { body })),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.me });
      void queryClient.invalidateQueries({ queryKey: SESSIONS });
      // Those from before a change of the address are gone.
      void queryClient.invalidateQueries({ queryKey: PASSKEYS });
      onSaved();
    },
    onError: onFailed,
  });
}
