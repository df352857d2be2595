import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../../server/client/client.js';

/** POST /api/auth/password/forgot: the same answer whether or not the address has an account (ACCT-10). */
export const useForgotPassword = () =>
  useSingleMutation({
    mutationFn: (email: string) => unwrap(client.POST('/api/auth/password/forgot', { body: { email } })),
  });
