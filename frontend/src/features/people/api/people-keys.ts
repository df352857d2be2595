export type UserList = 'followers' | 'following' | 'blocks';

export const peopleKeys = {
  all: ['people'] as const,
  list: (list: UserList, userId: string) => ['people', list, userId] as const,
};
