import { useInfiniteQuery } from '@tanstack/react-query';
import { byCursor, useItems } from '../../../api/paged-list.js';
import { queryKeys } from '../../../api/query-keys.js';
import type { UserList } from '../../../api/query-keys.js';
import type { UserRefPage } from '../../../api/types.js';
import { client, unwrap } from '../../../client/client.js';

type Fetch = (id: string, cursor: string | undefined) => Promise<UserRefPage>;

const fetchList: Record<UserList, Fetch> = {
  followers: (id, cursor) =>
    unwrap(client.GET('/api/users/{id}/followers', { params: { path: { id }, query: { cursor } } })),
  following: (id, cursor) =>
    unwrap(client.GET('/api/users/{id}/following', { params: { path: { id }, query: { cursor } } })),
  blocks: (_, cursor) => unwrap(client.GET('/api/me/blocks', { params: { query: { cursor } } })),
};

/** A user's followers, the users they follow, or the users the viewer has blocked; each once. */
export function useUserList(list: UserList, userId: string) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.people.list(list, userId),
    ...byCursor((cursor) => fetchList[list](userId, cursor)),
  });
  const users = useItems(query.data?.pages);
  return { ...query, users };
}
