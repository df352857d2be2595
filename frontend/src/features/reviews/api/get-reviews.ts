import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { byCursor, useItems } from '../../../server/queries/paged-list.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useDeletions } from '../../../components/feedback/deletions.js';
import { withoutMine } from './review-cache.js';

const fetchReviews = (id: string, cursor: string | undefined) =>
  unwrap(client.GET('/api/coaches/{id}/reviews', { params: { path: { id }, query: { cursor } } }));

/** A coach's reviews, newest first, after the cursor `start` or all, with their summary and the viewer's own. */
export function useReviews(coachId: string, start?: string) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.reviews.ofCoach(coachId, start),
    ...byCursor((cursor) => fetchReviews(coachId, cursor), start),
  });
  const { data } = query;
  const deletions = useDeletions();
  const pages = useMemo(() => {
    const mine = data?.pages[0]?.mine;
    return data && (mine && deletions.has(mine.id) ? withoutMine(data) : data).pages;
  }, [data, deletions]);
  const reviews = useItems(pages);
  return { ...query, reviews, summary: pages?.[0]?.summary, mine: pages?.[0]?.mine ?? null };
}
