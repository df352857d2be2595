import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { byCursor } from '../../../server/queries/paged-list.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useDeletions, withoutDeleted } from '../../../components/feedback/deletions.js';
import { freshCommentsKey, listComments } from './comment-cache.js';
import type { CommentPages, ShownComment } from './comment-cache.js';

const fetchComments = (id: string, cursor: string | undefined): Promise<CommentPages['pages'][number]> =>
  unwrap(client.GET('/api/posts/{id}/comments', { params: { path: { id }, query: { cursor } } }));

/**
 * The comments of a post, oldest first, after the cursor `start` or all; `fresh` are those written here whose place is not loaded
 * yet.
 */
export function useComments(postId: string, start?: string) {
  const list = useInfiniteQuery({
    queryKey: queryKeys.comments.ofPost(postId, start),
    ...byCursor((cursor) => fetchComments(postId, cursor), start),
  });
  const { data } = list;
  const { data: written } = useQuery<ShownComment[]>({
    queryKey: freshCommentsKey(postId),
    queryFn: () => [],
    staleTime: Infinity,
  });
  const deletions = useDeletions();
  const comments = useMemo(
    () => (data ? withoutDeleted(listComments(data), deletions) : undefined),
    [data, deletions],
  );
  const fresh = useMemo(() => {
    const listed = new Set(comments?.map(({ id }) => id));
    return withoutDeleted(written?.filter(({ id }) => !listed.has(id)) ?? [], deletions);
  }, [comments, written, deletions]);
  return { ...list, comments, fresh };
}
