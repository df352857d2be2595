import { useQueryClient } from '@tanstack/react-query';
import type { Passkey } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { isNotFound } from '../../../server/http/api-error.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { PASSKEYS } from '../../../shared/passkeys/passkeys.js';

interface Outcome {
  onDone: () => void;
  onFailed: (error: Error) => void;
}

/** PATCH /api/auth/passkeys/{id}. */
export function useRenamePasskey(id: string, { onDone, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (name: string) =>
      unwrap(client.PATCH('/api/auth/passkeys/{id}', { params: { path: { id } }, body: { name } })),
    onSuccess: (renamed) => {
      queryClient.setQueryData<Passkey[]>(PASSKEYS, (passkeys) =>
        passkeys?.map((one) => (one.id === id ? renamed : one)),
      );
      onDone();
    },
    onError: onFailed,
  });
}

/** DELETE /api/auth/passkeys/{id}. */
export function useRemovePasskey(id: string, { onDone, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: async () => {
      try {
        await unwrap(client.DELETE('/api/auth/passkeys/{id}', { params: { path: { id } } }));
      } catch (error) {
        // It has gone meanwhile.
        if (!isNotFound(error)) throw error;
      }
    },
    onSuccess: () => {
      queryClient.setQueryData<Passkey[]>(PASSKEYS, (passkeys) => passkeys?.filter((one) => one.id !== id));
      onDone();
    },
    onError: onFailed,
  });
}
