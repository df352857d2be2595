import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../../server/client/client.js';

/** POST /unsubscribe. The viewer may be the user whom the link belongs to, so their settings are read again. */
export function useUnsubscribe() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (token: string) => unwrap(client.POST('/unsubscribe', { params: { query: { token } } })),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.me }),
  });
}
