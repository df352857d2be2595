import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../server/client/client.js';
import { useLiveEvents } from '../server/live/live-events.js';
import { queryKeys } from '../server/queries/query-keys.js';

/**
 * How much of the viewer's storage is used, in bytes (GET /api/storage); `bytesUsed` is null while its service is down. Whoever
 * uploads or deletes a picture or a video has `queryKeys.storage` read again.
 */
export function useStorage() {
  const queryClient = useQueryClient();
  useLiveEvents(({ type }) => {
    // A video counts what is stored of it once it is ready, and nothing once it has failed (MEDIA-13).
    if (type === 'post-media') void queryClient.invalidateQueries({ queryKey: queryKeys.storage });
  });
  return useQuery({
    queryKey: queryKeys.storage,
    queryFn: () => unwrap(client.GET('/api/storage')),
  });
}
