import { useInfiniteQuery } from '@tanstack/react-query';
import { byCursor, useItems } from '../../../server/queries/paged-list.js';
import type { Person, UserRef } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { userListKey } from './people-lists.js';
import type { UserList } from './people-lists.js';

/** Blocked people are listed without how the viewer stands to them. */
export type ListedUser = UserRef & Partial<Pick<Person, 'viewer'>>;

interface ListedPage {
  items: ListedUser[];
  nextCursor: string | null;
}

type Fetch = (id: string, cursor: string | undefined) => Promise<ListedPage>;

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
    queryKey: userListKey(list, userId),
    ...byCursor((cursor) => fetchList[list](userId, cursor)),
  });
  const users = useItems(query.data?.pages);
  return { ...query, users };
}
