import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';

/** Who a conversation that could not be started would be with (GET /api/users/{id}). */
export const usePerson = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: queryKeys.profiles.byId(id),
    queryFn: () => unwrap(client.GET('/api/users/{id}', { params: { path: { id } } })),
    enabled,
  });
