import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { changeProfile } from '../../../server/queries/profile-cache.js';
import { withItems } from '../../../server/queries/paged-list.js';
import type { UserRef, UserRefPage } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { withBlocked } from '../follow.js';
import { BLOCKS, readAgainAfterBlock } from './people-lists.js';

export type UserPages = InfiniteData<UserRefPage, string | undefined>;

const withoutUser = (pages: UserPages | undefined, id: string): UserPages | undefined =>
  pages && withItems(pages, (users) => users.filter((user) => user.id !== id));

export interface BlockChange {
  user: Pick<UserRef, 'id' | 'name'>;
  blocked: boolean;
}

interface Outcome {
  onDone: (change: BlockChange) => void;
  onFailed: (error: unknown, change: BlockChange) => void;
}

/**
 * PUT and DELETE /api/users/{id}/block. An unblocked user is removed from the list at once, and restored on failure.
 */
export function useBlock({ onDone, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ user: { id }, blocked }: BlockChange) => {
      const target = { params: { path: { id } } };
      return unwrap(
        blocked
          ? client.PUT('/api/users/{id}/block', target)
          : client.DELETE('/api/users/{id}/block', target),
      );
    },
    onMutate: async ({ user, blocked }) => {
      if (blocked) return undefined;
      await queryClient.cancelQueries({ queryKey: BLOCKS });
      const before = queryClient.getQueriesData<UserPages>({ queryKey: BLOCKS });
      queryClient.setQueriesData<UserPages>({ queryKey: BLOCKS }, (pages) => withoutUser(pages, user.id));
      return before;
    },
    onSuccess: (_, change) => {
      changeProfile(queryClient, change.user.id, (profile) => withBlocked(profile, change.blocked));
      onDone(change);
      readAgainAfterBlock(queryClient);
    },
    onError: (error, change, before) => {
      for (const [queryKey, pages] of before ?? []) queryClient.setQueryData(queryKey, pages);
      // Another user may have been unblocked in the meantime.
      if (before) void queryClient.invalidateQueries({ queryKey: BLOCKS });
      onFailed(error, change);
    },
  });
}
