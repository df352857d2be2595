import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, unwrap } from '../../../client/client.js';
import type { Review } from '../../../api/types.js';

export const reviewsKey = (coachId: string) => ['reviews', coachId] as const;

const fetchReviews = (id: string, cursor: string | undefined) =>
  unwrap(client.GET('/api/coaches/{id}/reviews', { params: { path: { id }, query: { cursor } } }));

/** A coach's reviews, newest first, with their summary and the viewer's own. */
export function useReviews(coachId: string) {
  const query = useInfiniteQuery({
    queryKey: reviewsKey(coachId),
    queryFn: ({ pageParam }) => fetchReviews(coachId, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const pages = query.data?.pages;
  const reviews = useMemo(() => {
    const byId = new Map<string, Review>();
    for (const review of pages?.flatMap(({ items }) => items) ?? []) byId.set(review.id, review);
    return pages && [...byId.values()];
  }, [pages]);
  return { ...query, reviews, summary: pages?.[0]?.summary, mine: pages?.[0]?.mine ?? null };
}
