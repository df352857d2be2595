import { useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../../../client/client.js';
import { SPECIALTIES_KEY } from '../../../client/get-specialties.js';
import { profileKeys } from '../../../api/profile-cache.js';
import type { Me } from '../../../api/types.js';
import { useSingleMutation } from '../../../api/use-single-mutation.js';
import { session } from '../../../session/session.js';

export type ProfileChange = Partial<Pick<Me, 'name' | 'bio' | 'isCoach' | 'specialties'>> & {
  username?: string;
};

/** PATCH /api/me. Name, username and badge stand on posts and comments too, so everything shown is read again. */
export function useUpdateMe() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: ProfileChange) => unwrap(client.PATCH('/api/me', { body })),
    onSuccess: (me) => {
      session.updateUser(me);
      queryClient.setQueryData(profileKeys.me, me);
      void queryClient.invalidateQueries({ queryKey: profileKeys.all });
      void queryClient.invalidateQueries({ queryKey: SPECIALTIES_KEY });
      void queryClient.invalidateQueries({ queryKey: ['posts'] });
      void queryClient.invalidateQueries({ queryKey: ['comments'] });
    },
  });
}
