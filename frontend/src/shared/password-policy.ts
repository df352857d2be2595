import { useQuery } from '@tanstack/react-query';
import { queryKey } from '../server/queries/query-keys.js';
import type { PasswordPolicy } from '../api/types.js';
import { client, unwrap } from '../server/client/client.js';
import { DEFAULT_POLICY } from '../validation/account.js';

/** GET /api/auth/password-policy; the default policy until it has arrived. The server checks in any case. */
export function usePasswordPolicy(): PasswordPolicy {
  const { data } = useQuery({
    queryKey: queryKey('password-policy'),
    queryFn: () => unwrap(client.GET('/api/auth/password-policy')),
    staleTime: Infinity,
  });
  return data ?? DEFAULT_POLICY;
}
