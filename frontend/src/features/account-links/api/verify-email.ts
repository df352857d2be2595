import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../../server/client/client.js';

/** POST /api/auth/email/verify (ACCT-27). The viewer may be the user whose address it is, so their account is read again. */
export function useVerifyEmail() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (token: string) => unwrap(client.POST('/api/auth/email/verify', { body: { token } })),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.me }),
  });
}
