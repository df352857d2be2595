import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UploadedVideo } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useLiveEvents } from '../../../server/live/live-events.js';
import { queryKey } from '../../../server/queries/query-keys.js';

/** GET /api/media/{id}: an own video that no post has yet, up to date as its events arrive (NOTIF-12). */
export function useOwnMedia(id: string | undefined) {
  const queryClient = useQueryClient();
  const key = queryKey('own-video', id);
  const query = useQuery({
    queryKey: key,
    queryFn: async () => {
      const media = await unwrap(client.GET('/api/media/{id}', { params: { path: { id: id! } } }));
      return media as unknown as UploadedVideo;
    },
    enabled: id !== undefined,
    retry: false,
  });
  useLiveEvents((event) => {
    if (event.type === 'reload') void queryClient.invalidateQueries({ queryKey: key });
    if (event.type === 'post-media' && event.data.media.id === id)
      queryClient.setQueryData(key, event.data.media);
  });
  return query;
}
