import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { byCursor, useItems } from '../../../api/paged-list.js';
import { queryKeys } from '../../../api/query-keys.js';
import { client, unwrap } from '../../../client/client.js';

export interface CoachSearch {
  /** Part of a name, bio or specialty; case is ignored. */
  q: string;
  /** One exact specialty; empty for all. */
  specialty: string;
}

const fetchCoaches = ({ q, specialty }: CoachSearch, cursor: string | undefined) =>
  unwrap(
    client.GET('/api/coaches', {
      params: { query: { cursor, q: q || undefined, specialty: specialty || undefined } },
    }),
  );

/** The coaches that match; the results of the last search stay until the next ones have arrived. */
export function useCoaches(search: CoachSearch) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.profiles.coaches(search.q, search.specialty),
    ...byCursor((cursor) => fetchCoaches(search, cursor)),
    placeholderData: keepPreviousData,
  });
  const coaches = useItems(query.data?.pages);
  return { ...query, coaches };
}
