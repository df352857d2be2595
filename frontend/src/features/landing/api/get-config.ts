import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../api/query-keys.js';
import { client, unwrap } from '../../../client/client.js';

/** GET /api/config, which has the marketing claims of the landing page (UI-13). */
export const useConfig = () =>
  useQuery({
    queryKey: queryKeys.config,
    queryFn: () => unwrap(client.GET('/api/config')),
    staleTime: Infinity,
  });
