import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../../../client/client.js';
import { changeProfile, profileKeys } from '../../../api/profile-cache.js';
import type { UserRef } from '../../../api/types.js';
import { withBlocked } from '../follow.js';
import { peopleKeys, withoutUser } from './people-keys.js';
import type { UserPages } from './people-keys.js';

export interface BlockChange {
  user: Pick<UserRef, 'id' | 'name'>;
  blocked: boolean;
}

interface Outcome {
  onDone: (change: BlockChange) => void;
  onFailed: (error: unknown, change: BlockChange) => void;
}

/**
 * PUT and DELETE /api/users/{id}/block. Who is unblocked leaves the list of the blocked at once, and is back in it on
 * failure. What either has written appears or goes everywhere, so all of it is read again.
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
      await queryClient.cancelQueries({ queryKey: peopleKeys.blocks });
      const before = queryClient.getQueriesData<UserPages>({ queryKey: peopleKeys.blocks });
      queryClient.setQueriesData<UserPages>({ queryKey: peopleKeys.blocks }, (pages) =>
        withoutUser(pages, user.id),
      );
      return before;
    },
    onSuccess: (_, change) => {
      changeProfile(queryClient, change.user.id, (profile) => withBlocked(profile, change.blocked));
      onDone(change);
      for (const queryKey of [profileKeys.all, peopleKeys.all, ['posts'], ['comments'], ['reviews']]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
    onError: (error, change, before) => {
      for (const [queryKey, pages] of before ?? []) queryClient.setQueryData(queryKey, pages);
      // Another one may have been unblocked since then.
      if (before) void queryClient.invalidateQueries({ queryKey: peopleKeys.blocks });
      onFailed(error, change);
    },
  });
}
