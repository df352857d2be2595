import { useQuery } from '@tanstack/react-query';
import { queryKey } from '../server/queries/query-keys.js';
import { client, unwrap } from '../server/client/client.js';

/** What is configured here (GET /api/config); it does not change while a page is open. */
export const useConfig = ({ enabled = true } = {}) =>
  useQuery({
    enabled,
    queryKey: queryKey('config'),
    queryFn: () => unwrap(client.GET('/api/config')),
    staleTime: Infinity,
  });
