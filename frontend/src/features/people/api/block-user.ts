import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../../../api/client.js';
import { changeProfile, profileKeys } from '../../../api/profile-cache.js';
import type { UserRef } from '../../../api/types.js';
import { withBlocked } from '../follow.js';
import { peopleKeys } from './people-keys.js';

export interface BlockChange {
  user: Pick<UserRef, 'id' | 'name'>;
  blocked: boolean;
}

interface Outcome {
  onDone: (change: BlockChange) => void;
  onFailed: (error: unknown, change: BlockChange) => void;
}

/** PUT and DELETE /api/users/{id}/block. What either has written appears or goes everywhere, so all of it is read again. */
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
    onSuccess: (_, change) => {
      changeProfile(queryClient, change.user.id, (profile) => withBlocked(profile, change.blocked));
      onDone(change);
      for (const queryKey of [profileKeys.all, peopleKeys.all, ['posts'], ['comments'], ['reviews']]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
    onError: onFailed,
  });
}
