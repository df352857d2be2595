import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { BESIDE } from '../server/queries/query-client.js';
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

/** In which order coaches are listed. */
const sort = 'merit';

/** GET /api/coaches. */
const fetchCoaches = ({ q, specialty }: CoachSearch, cursor: string | undefined) =>
  unwrap(
    client.GET('/api/coaches', {
      params: { query: { cursor, sort, q: q || undefined, specialty: specialty || undefined } },
    }),
  );

/**
 * The coaches that match, after the cursor `start` or all; the results of the last search stay until the next ones have arrived.
 */
export function useCoaches(search: CoachSearch, start?: string) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.profiles.coaches(search.q, search.specialty, start),
    ...byCursor((cursor) => fetchCoaches(search, cursor), start),
    placeholderData: keepPreviousData,
  });
  const coaches = useItems(query.data?.pages);
  return { ...query, coaches };
}

/** How many of the directory's first coaches visitors are shown beside other things. */
export const FIRST_COACHES = 3;

/**
 * The directory's first coaches for visitors, one more than are shown: the side column leaves out the one whose page is open. The
 * landing page and the side column share the answer, which is part of the pages that the server renders.
 */
export function useFirstCoaches() {
  const query = useQuery({
    queryKey: queryKeys.profiles.first,
    queryFn: () =>
      unwrap(client.GET('/api/coaches', { params: { query: { sort, limit: FIRST_COACHES + 1 } } })),
    meta: BESIDE,
  });
  return { ...query, coaches: query.data?.items };
}

/** Coaches for the viewer to follow (PEOPLE-16). */
export function useSuggestedCoaches() {
  const query = useQuery({
    queryKey: queryKeys.profiles.suggested,
    queryFn: () => unwrap(client.GET('/api/coaches/suggested')),
  });
  return { ...query, coaches: query.data?.items };
}
