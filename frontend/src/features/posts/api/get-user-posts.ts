import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { byCursor } from '../../../server/queries/paged-list.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useDeletions, withoutDeleted } from '../../../components/feedback/deletions.js';
import { inOrder } from './post-cache.js';

const fetchUserPosts = (id: string, cursor: string | undefined) =>
  unwrap(client.GET('/api/users/{id}/posts', { params: { path: { id }, query: { cursor } } }));

/** A person's posts, newest first, after the cursor `start` or all (GET /api/users/{id}/posts). */
export function useUserPosts(userId: string, start?: string) {
  const list = useInfiniteQuery({
    queryKey: queryKeys.posts.byUser(userId, start),
    ...byCursor((cursor) => fetchUserPosts(userId, cursor), start),
  });
  const pages = list.data?.pages;
  const deletions = useDeletions();
  const posts = useMemo(
    () => (pages ? withoutDeleted(inOrder(pages), deletions) : undefined),
    [pages, deletions],
  );
  return { ...list, posts };
}
