import { useInfiniteQuery } from '@tanstack/react-query';
import { byCursor, useItems } from '../../../server/queries/paged-list.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';

/** The people who like a post, newest first (POST-16); each once. */
export function useLikes(postId: string) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.likes.ofPost(postId),
    ...byCursor((cursor) =>
      unwrap(client.GET('/api/posts/{id}/likes', { params: { path: { id: postId }, query: { cursor } } })),
    ),
  });
  const users = useItems(query.data?.pages);
  return { ...query, users };
}
