import { useQuery } from '@tanstack/react-query';
import { client, unwrap } from '../../server/client/client.js';
import { queryKey } from '../../server/queries/query-keys.js';

export const PASSKEYS = queryKey('passkeys');

/** The viewer's passkeys, the newest first (GET /api/auth/passkeys); the list is not paged (ACCT-43). */
export const usePasskeys = () =>
  useQuery({
    queryKey: PASSKEYS,
    queryFn: async () => (await unwrap(client.GET('/api/auth/passkeys'))).items,
  });
