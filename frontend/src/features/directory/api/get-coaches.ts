import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, unwrap } from '../../../client/client.js';
import { profileKeys } from '../../../api/profile-cache.js';
import type { Profile } from '../../../api/types.js';

export interface CoachSearch {
  /** Part of a name, bio or specialty, in any case. */
  q: string;
  /** One specialty exactly; empty for all. */
  specialty: string;
}

const fetchCoaches = ({ q, specialty }: CoachSearch, cursor: string | undefined) =>
  unwrap(
    client.GET('/api/coaches', {
      params: { query: { cursor, q: q || undefined, specialty: specialty || undefined } },
    }),
  );

/** The coaches that match, page after page; the last search's stay until the next one's are there. */
export function useCoaches(search: CoachSearch) {
  const query = useInfiniteQuery({
    queryKey: profileKeys.coaches(search.q, search.specialty),
    queryFn: ({ pageParam }) => fetchCoaches(search, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages;
  const coaches = useMemo(() => {
    const byId = new Map<string, Profile>();
    for (const coach of pages?.flatMap(({ items }) => items) ?? []) byId.set(coach.id, coach);
    return pages && [...byId.values()];
  }, [pages]);
  return { ...query, coaches };
}
