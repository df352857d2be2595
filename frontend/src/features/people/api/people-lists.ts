import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { withItems } from '../../../server/queries/paged-list.js';
import { queryKey, queryKeys } from '../../../server/queries/query-keys.js';
import type { PersonPage, UserRefPage } from '../../../api/types.js';

export type UserList = 'followers' | 'following' | 'blocks';

/** The prefix of the keys of all lists of people. */
const PEOPLE = queryKey('people');

/** The prefix of the viewer's list of blocked people; nobody else's blocks are ever read. */
export const BLOCKS = queryKey('people', 'blocks');

export const userListKey = (list: UserList, userId: string) => queryKey('people', list, userId);

/** Blocked people are listed without it. */
type AnyPage = PersonPage | UserRefPage;
type Listed = AnyPage['items'][number];

/**
 * Lists and feed are read again at their next visit: the viewer follows others now. One that is open stays as it is, with who
 * was unfollowed by mistake; a feed that is being read, or gone back to, announces what is new.
 */
export function readAgainAfterFollow(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.me });
  void queryClient.invalidateQueries({ queryKey: PEOPLE, refetchType: 'none' });
  queryClient.setQueryData<unknown>(queryKeys.posts.feed, (feed: unknown) => feed, { updatedAt: 1 });
  void queryClient.invalidateQueries({ queryKey: queryKeys.newerPosts });
}

/** A block changes which posts, likes, comments, reviews, people and conversations are visible. */
export function readAgainAfterBlock(queryClient: QueryClient): void {
  const { profiles, posts, likes, comments, reviews, conversations } = queryKeys;
  const groups = [profiles, posts, likes, comments, reviews, conversations].map(({ all }) => all);
  for (const key of [...groups, PEOPLE]) void queryClient.invalidateQueries({ queryKey: key });
}

/** Shows in every list of people that the viewer follows user `id`, or does no longer. */
export function showFollowingInLists(queryClient: QueryClient, id: string, following: boolean): void {
  const change = (person: Listed): Listed =>
    person.id === id && 'viewer' in person && person.viewer
      ? { ...person, viewer: { ...person.viewer, following } }
      : person;
  for (const key of [queryKeys.likes.all, PEOPLE]) {
    queryClient.setQueriesData<InfiniteData<AnyPage, string | undefined>>(
      { queryKey: key },
      (cached) => cached && withItems(cached, (people) => people.map(change)),
    );
  }
}
