import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../api/query-keys.js';
import { client, unwrap } from '../../../client/client.js';

/** GET /api/config; the landing page reads its marketing claims from it (decisions 43). */
export const useConfig = () =>
  useQuery({
    queryKey: queryKeys.config,
    queryFn: () => unwrap(client.GET('/api/config')),
    staleTime: Infinity,
  });
