import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../../server/client/client.js';
import { session } from '../../../server/session/session.js';

/** Asks for the session anew: who resets their own password has none any more. */
async function checkSession(): Promise<void> {
  const token = await session.accessToken();
  if (token !== undefined) await session.replace(token);
}

/** POST /api/auth/password/reset: sets the password and ends all sessions of the account (ACCT-10). */
export const useResetPassword = () =>
  useSingleMutation({
    mutationFn: (body: { token: string; password: string }) =>
      unwrap(client.POST('/api/auth/password/reset', { body })),
    onSuccess: () => void checkSession(),
  });
