import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, unwrap } from '../../../client/client.js';
import { inOrder, postKeys } from './post-cache.js';

const fetchUserPosts = (id: string, cursor: string | undefined) =>
  unwrap(client.GET('/api/users/{id}/posts', { params: { path: { id }, query: { cursor } } }));

/** A person's posts, newest first (GET /api/users/{id}/posts). */
export function useUserPosts(userId: string) {
  const list = useInfiniteQuery({
    queryKey: postKeys.byUser(userId),
    queryFn: ({ pageParam }) => fetchUserPosts(userId, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const pages = list.data?.pages;
  const posts = useMemo(() => (pages ? inOrder(pages) : undefined), [pages]);
  return { ...list, posts };
}
