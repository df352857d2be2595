import { useQuery } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { queryKey } from '../server/queries/query-keys.js';
import { client, unwrap } from '../server/client/client.js';

const config = {
  queryKey: queryKey('config'),
  queryFn: () => unwrap(client.GET('/api/config')),
  staleTime: Infinity,
};

/** What is configured here (GET /api/config); it does not change while a page is open. */
export const useConfig = ({ enabled = true } = {}) => useQuery({ enabled, ...config });

/** Whether a provider takes payments here (SUBS-1); false until it is known. */
export function useTakesPayments(options?: { enabled: boolean }): boolean {
  const payments = useConfig(options).data?.payments;
  return payments !== undefined && payments !== 'none';
}

/** The same, once. Rejects where the configuration cannot be read. */
export async function takesPayments(queryClient: QueryClient): Promise<boolean> {
  const { payments } = await queryClient.fetchQuery(config);
  return payments !== 'none';
}
