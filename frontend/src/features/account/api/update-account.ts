import { useQueryClient } from '@tanstack/react-query';
import type { Me } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { session } from '../../../server/session/session.js';

interface AccountChange {
  /** The present address withdraws a change of it (ACCT-26). */
  email?: string;
  currentPassword?: string;
  /** Of mails. */
  language?: Me['language'];
  emails?: Partial<Me['emails']>;
}

interface Outcome {
  onSaved?: (me: Me) => void;
  onFailed: (error: Error) => void;
}

/** PATCH /api/me, for what only the owner of the account sees. The callbacks run even if the page has been left. */
export function useUpdateAccount({ onSaved, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: AccountChange) => unwrap(client.PATCH('/api/me', { body })),
    onSuccess: (me) => {
      session.updateUser(me);
      queryClient.setQueryData(queryKeys.profiles.me, me);
      onSaved?.(me);
    },
    onError: onFailed,
  });
}
