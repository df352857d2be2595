import type { InfiniteData } from '@tanstack/react-query';
import type { UserRefPage } from '../../../api/types.js';

export type UserList = 'followers' | 'following' | 'blocks';

export const peopleKeys = {
  all: ['people'] as const,
  /** The viewer's; the one list that is nobody else's. */
  blocks: ['people', 'blocks'] as const,
  list: (list: UserList, userId: string) => ['people', list, userId] as const,
};

export type UserPages = InfiniteData<UserRefPage, string | undefined>;

export const withoutUser = (pages: UserPages | undefined, id: string): UserPages | undefined =>
  pages && {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, items: page.items.filter((user) => user.id !== id) })),
  };
