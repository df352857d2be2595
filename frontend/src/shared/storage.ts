import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../server/queries/query-keys.js';
import { client, unwrap } from '../server/client/client.js';

/**
 * How much of the viewer's storage is used, in bytes (GET /api/storage); `bytesUsed` is null while its service is down. Whoever
 * uploads or deletes a picture has `queryKeys.storage` read again.
 */
export const useStorage = () =>
  useQuery({
    queryKey: queryKeys.storage,
    queryFn: () => unwrap(client.GET('/api/storage')),
  });
