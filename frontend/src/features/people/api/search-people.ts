import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { byCursor, useItems } from '../../../server/queries/paged-list.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';

/**
 * The coaches and members whom a name or username finds (PEOPLE-17), best match first; those of the last search stay
 * until the next ones have arrived. `isPlaceholderData` says that they are still those.
 */
export function usePeopleSearch(q: string, enabled: boolean) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.profiles.people(q),
    ...byCursor((cursor) => unwrap(client.GET('/api/people', { params: { query: { q, cursor } } }))),
    placeholderData: keepPreviousData,
    enabled,
  });
  const found = useItems(query.data?.pages);
  return { ...query, found };
}
