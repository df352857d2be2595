import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, unwrap } from '../../../api/client.js';
import type { Post } from '../../../api/types.js';
import { inOrder, postKeys } from './post-cache.js';

const fetchFeed = (cursor: string | undefined) =>
  unwrap(client.GET('/api/feed', { params: { query: { cursor } } }));

/** The ranked feed (GET /api/feed), page after page, with the posts made during this visit first. */
export function useFeed() {
  const feed = useInfiniteQuery({
    queryKey: postKeys.feed,
    queryFn: ({ pageParam }) => fetchFeed(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // A list that reorders itself under the reader's eyes is no service.
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });
  const { data: pinned } = useQuery<Post[]>({
    queryKey: postKeys.pinned,
    queryFn: () => [],
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const pages = feed.data?.pages;
  const posts = useMemo(() => (pages ? inOrder(pages, pinned) : undefined), [pages, pinned]);
  return { ...feed, posts };
}
