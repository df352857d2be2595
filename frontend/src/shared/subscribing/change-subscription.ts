import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { changeProfile } from '../../server/queries/profile-cache.js';
import { queryKeys } from '../../server/queries/query-keys.js';
import type { Profile, Subscription } from '../../api/types.js';
import { useSingleMutation } from '../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../server/client/client.js';
import { isSubscribed, withSubscribed } from './subscription.js';
import { readAgainAfterSubscription } from './read-again.js';
import { tellOtherTabs, withoutCoach } from './subscription-list.js';
import type { SubscriptionPages } from './subscription-list.js';

/** The key of the change to the viewer's subscription to a coach that is on its way; of all its buttons. */
export const changeKey = (coachId: string) => ['subscription', coachId];

/** The act of notices. */
export const subscribeAct = (coachId: string) => `subscribe:${coachId}`;

interface Outcome {
  onDone: (subscribed: boolean) => void;
  onFailed: (error: unknown, subscribed: boolean) => void;
}

/**
 * PUT and DELETE /api/subscriptions/{coachId}, shown at once and undone on failure; one call at a time for a coach, whichever
 * of their buttons is pressed. It is under way until what the subscription opens or locks has been read again.
 */
export function useChangeSubscription(coachId: string, { onDone, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  const mutationKey = changeKey(coachId);
  const change = useSingleMutation({
    mutationKey,
    mutationFn: (subscribed: boolean) => {
      const target = { params: { path: { id: coachId } } };
      return unwrap(
        subscribed
          ? client.PUT('/api/subscriptions/{id}', target)
          : client.DELETE('/api/subscriptions/{id}', target),
      );
    },
    onMutate: (subscribed) => showAtOnce(queryClient, coachId, subscribed),
    onSuccess: async (subscription, subscribed) => {
      const access = isSubscribed(subscription);
      showAnswer(queryClient, subscription, access);
      tellOtherTabs();
      onDone(subscribed);
      await readAgainAfterSubscription(queryClient, coachId, access);
    },
    onError: (error, subscribed, undo) => {
      undo?.();
      onFailed(error, subscribed);
    },
  });
  return { change: change.mutate, busy: useIsMutating({ mutationKey }) > 0 };
}

/** @returns what takes it back */
async function showAtOnce(queryClient: QueryClient, coachId: string, subscribed: boolean) {
  const before = queryClient.getQueriesData<unknown>({ queryKey: queryKeys.profiles.all });
  await queryClient.cancelQueries({ queryKey: queryKeys.subscriptions });
  const list = queryClient.getQueryData<SubscriptionPages>(queryKeys.subscriptions);
  changeProfile(queryClient, coachId, (profile) => withSubscribed(profile, subscribed));
  if (!subscribed && list) queryClient.setQueryData(queryKeys.subscriptions, withoutCoach(list, coachId));
  const changed = queryClient.getQueriesData<unknown>({ queryKey: queryKeys.profiles.all });
  const wasChanged = changed.some(([, data], index) => data !== before[index]?.[1]);
  return () => {
    if (wasChanged) changeProfile(queryClient, coachId, (profile) => withSubscribed(profile, !subscribed));
    if (list) queryClient.setQueryData(queryKeys.subscriptions, list);
  };
}

/** The count of others who have come and gone, too. */
function showAnswer(queryClient: QueryClient, { coach }: Subscription, access: boolean): void {
  const { subscribers } = coach.stats;
  changeProfile(queryClient, coach.id, (profile): Profile => {
    const shown = withSubscribed(profile, access);
    return subscribers === null ? shown : { ...shown, stats: { ...shown.stats, subscribers } };
  });
}
