import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { byCursor } from '../../../api/paged-list.js';
import { queryKeys } from '../../../api/query-keys.js';
import { client, unwrap } from '../../../client/client.js';
import { listComments } from './comment-cache.js';
import type { CommentPages } from './comment-cache.js';

const fetchComments = (id: string, cursor: string | undefined): Promise<CommentPages['pages'][number]> =>
  unwrap(client.GET('/api/posts/{id}/comments', { params: { path: { id }, query: { cursor } } }));

/** The comments of a post, oldest first. */
export function useComments(postId: string) {
  const list = useInfiniteQuery({
    queryKey: queryKeys.comments.ofPost(postId),
    ...byCursor((cursor) => fetchComments(postId, cursor)),
  });
  const { data } = list;
  const comments = useMemo(() => (data ? listComments(data) : undefined), [data]);
  return { ...list, comments };
}
