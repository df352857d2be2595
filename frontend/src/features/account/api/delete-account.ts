import { client, unwrap } from '../../../server/client/client.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { session } from '../../../server/session/session.js';

interface Outcome {
  onDeleted: () => void;
  onFailed: (error: Error) => void;
}

/**
 * DELETE /api/me: erases the account (ACCT-32), and signs out here and in the other tabs. The callbacks run even if the page has been left.
 */
export function useDeleteAccount({ onDeleted, onFailed }: Outcome) {
  return useSingleMutation({
    /** The password; none where a passkey or the sign-in stands in for it. */
    mutationFn: (password: string | undefined) =>
      session.signOut(() =>
        unwrap(client.DELETE('/api/me', { body: password === undefined ? {} : { password } })),
      ),
    onSuccess: onDeleted,
    onError: onFailed,
  });
}
