import { useQueryClient } from '@tanstack/react-query';
import { showPerson } from '../../../server/queries/person-cache.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Me } from '../../../api/types.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../../server/client/client.js';
import { ensureProviderPrice } from './ensure-provider-price.js';
import { session } from '../../../server/session/session.js';

export type ProfileChange = Partial<
  Pick<Me, 'name' | 'bio' | 'isCoach' | 'specialties' | 'subscriptionPrice'>
> & {
  username?: string;
  profileImageId?: string | null;
  subscriptionCurrency?: NonNullable<Me['subscriptionCurrency']>;
};

interface Outcome {
  onSaved: () => void;
  onFailed: (error: Error) => void;
}

const asksAnotherPrice = ({ isCoach, subscriptionPrice, subscriptionCurrency }: ProfileChange): boolean =>
  isCoach !== undefined || subscriptionPrice !== undefined || subscriptionCurrency !== undefined;

/**
 * PATCH /api/me. Whatever shows name, picture, username and badge changes at once and is read again. The callbacks run even if
 * the form has been left.
 */
export function useUpdateMe({ onSaved, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: ProfileChange) => unwrap(client.PATCH('/api/me', { body })),
    onSuccess: (me, change) => {
      session.updateUser(me);
      queryClient.setQueryData(queryKeys.profiles.me, me);
      showPerson(queryClient, me);
      void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.all });
      void queryClient.invalidateQueries({ queryKey: queryKeys.specialties });
      void queryClient.invalidateQueries({ queryKey: queryKeys.posts.all });
      void queryClient.invalidateQueries({ queryKey: queryKeys.comments.all });
      void queryClient.invalidateQueries({ queryKey: queryKeys.reviews.all });
      void queryClient.invalidateQueries({ queryKey: queryKeys.storage });
      if (asksAnotherPrice(change)) void ensureProviderPrice(queryClient, me);
      onSaved();
    },
    onError: onFailed,
  });
}
