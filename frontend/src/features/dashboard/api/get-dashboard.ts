import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';

/** The viewer's figures as a coach, and everyone who ever subscribed to them (GET /api/dashboard). */
export function useDashboard() {
  const query = useInfiniteQuery({
    queryKey: queryKeys.dashboard,
    queryFn: ({ pageParam: cursor }) =>
      unwrap(client.GET('/api/dashboard', { params: { query: { cursor } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ subscribers }) => subscribers.nextCursor ?? undefined,
  });
  const pages = query.data?.pages;
  // A list that changes between two pages may bring a subscriber twice.
  const subscribers = useMemo(() => {
    const all = pages?.flatMap(({ subscribers: { items } }) => items);
    return all && [...new Map(all.map((one) => [one.user.id, one])).values()];
  }, [pages]);
  return { ...query, figures: pages?.[0], subscribers };
}
