import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, unwrap } from '../../../client/client.js';
import type { UserRef, UserRefPage } from '../../../api/types.js';
import { peopleKeys } from './people-keys.js';
import type { UserList } from './people-keys.js';

type Fetch = (id: string, cursor: string | undefined) => Promise<UserRefPage>;

const fetchList: Record<UserList, Fetch> = {
  followers: (id, cursor) =>
    unwrap(client.GET('/api/users/{id}/followers', { params: { path: { id }, query: { cursor } } })),
  following: (id, cursor) =>
    unwrap(client.GET('/api/users/{id}/following', { params: { path: { id }, query: { cursor } } })),
  blocks: (_, cursor) => unwrap(client.GET('/api/me/blocks', { params: { query: { cursor } } })),
};

/** Followers or followed of a person, or whom the viewer has blocked: page after page, each person once. */
export function useUserList(list: UserList, userId: string) {
  const query = useInfiniteQuery({
    queryKey: peopleKeys.list(list, userId),
    queryFn: ({ pageParam }) => fetchList[list](userId, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const pages = query.data?.pages;
  const users = useMemo(() => {
    const byId = new Map<string, UserRef>();
    for (const user of pages?.flatMap(({ items }) => items) ?? []) byId.set(user.id, user);
    return pages && [...byId.values()];
  }, [pages]);
  return { ...query, users };
}
