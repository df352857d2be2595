import { useInfiniteQuery } from '@tanstack/react-query';
import { byCursor, useItems } from '../../../server/queries/paged-list.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';

/** The viewer's conversations, the latest activity first (GET /api/conversations, MSG-7). */
export function useConversations() {
  const query = useInfiniteQuery({
    queryKey: queryKeys.conversations.list,
    ...byCursor((cursor) => unwrap(client.GET('/api/conversations', { params: { query: { cursor } } }))),
    // Nothing follows the list while it is not on the page.
    staleTime: 0,
  });
  const conversations = useItems(query.data?.pages);
  return { ...query, conversations };
}
