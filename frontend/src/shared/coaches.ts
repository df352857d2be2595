import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { byCursor, useItems } from '../server/queries/paged-list.js';
import { queryKeys } from '../server/queries/query-keys.js';
import { client, unwrap } from '../server/client/client.js';

export interface CoachSearch {
  /** Part of a name, bio or specialty; case is ignored. */
  q: string;
  /** One exact specialty; empty for all. */
  specialty: string;
}

export const EVERY_COACH: CoachSearch = { q: '', specialty: '' };

/** GET /api/coaches; the one place that says in which order coaches are listed. */
const fetchCoaches = ({ q, specialty }: CoachSearch, cursor: string | undefined) =>
  unwrap(
    client.GET('/api/coaches', {
      params: { query: { cursor, sort: 'merit', q: q || undefined, specialty: specialty || undefined } },
    }),
  );

/**
 * The coaches that match; the results of the last search stay until the next ones have arrived. The directory, the
 * landing page and the side column of visitors share the answer for every coach.
 */
export function useCoaches(search: CoachSearch) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.profiles.coaches(search.q, search.specialty),
    ...byCursor((cursor) => fetchCoaches(search, cursor)),
    placeholderData: keepPreviousData,
  });
  const coaches = useItems(query.data?.pages);
  return { ...query, coaches };
}

/** Coaches for the viewer to follow (PEOPLE-16). */
export function useSuggestedCoaches() {
  const query = useQuery({
    queryKey: queryKeys.profiles.suggested,
    queryFn: () => unwrap(client.GET('/api/coaches/suggested')),
  });
  return { ...query, coaches: query.data?.items };
}
