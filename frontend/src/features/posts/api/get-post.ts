import { useQuery } from '@tanstack/react-query';
import { client, unwrap } from '../../../client/client.js';
import { postKeys } from './post-cache.js';

/** One post (GET /api/posts/{id}); 404 when it does not exist or is not the viewer's to know of. */
export const usePost = (id: string) =>
  useQuery({
    queryKey: postKeys.one(id),
    queryFn: () => unwrap(client.GET('/api/posts/{id}', { params: { path: { id } } })),
  });
