import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';

/** One post (GET /api/posts/{id}); 404 when it does not exist or is hidden from the viewer. */
export const postQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.posts.one(id),
    queryFn: () => unwrap(client.GET('/api/posts/{id}', { params: { path: { id } } })),
  });

export const usePost = (id: string) => useQuery(postQuery(id));
