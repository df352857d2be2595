import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { changeProfile } from '../../server/queries/profile-cache.js';
import { queryKeys } from '../../server/queries/query-keys.js';
import type { Profile, Subscription } from '../../api/types.js';
import { useSingleMutation } from '../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../server/client/client.js';
import { hasCode } from '../../server/http/api-error.js';
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
 * of their buttons is pressed. It is under way until what the subscription opens or locks has been read again. Where it has to be
 * paid first, which the server says, it leads to the provider's page (SUBS-14).
 */
export function useChangeSubscription(coach: Pick<Profile, 'id' | 'subscriptionPrice'>, outcome: Outcome) {
  const { id: coachId, subscriptionPrice } = coach;
  const { onDone, onFailed } = outcome;
  const queryClient = useQueryClient();
  const mutationKey = changeKey(coachId);
  const change = useSingleMutation({
    mutationKey,
    mutationFn: (subscribed: boolean) => (subscribed ? subscribe(coachId) : unsubscribe(coachId)),
    onMutate: (subscribed) =>
      // It may have to be paid first.
      subscribed && subscriptionPrice ? undefined : showAtOnce(queryClient, coachId, subscribed),
    onSuccess: async (subscription, subscribed, undo) => {
      if (!subscription) {
        undo?.();
        void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.all });
        return readAgainAfterSubscription(queryClient, coachId, true);
      }
      onDone(subscribed);
      await showChanged(queryClient, subscription.coach, isSubscribed(subscription));
    },
    onError: (error, subscribed, undo) => {
      undo?.();
      onFailed(error, subscribed);
    },
  });
  return { change: change.mutate, busy: useIsMutating({ mutationKey }) > 0 };
}

const begin = (id: string): Promise<Subscription> =>
  unwrap(client.PUT('/api/subscriptions/{id}', { params: { path: { id } } }));

/** Undefined: the viewer was on the provider's page, and has come back by Back. */
async function subscribe(id: string): Promise<Subscription | undefined> {
  try {
    return await begin(id);
  } catch (error) {
    if (!hasCode(error, 'payment-required')) throw error;
  }
  try {
    const { openCheckout } = await import('./open-checkout.js');
    await openCheckout(id);
    return undefined;
  } catch (error) {
    // Paid already, in another tab: billing has just seen it at the provider.
    if (!hasCode(error, 'conflict')) throw error;
    return begin(id);
  }
}

const unsubscribe = (id: string): Promise<Subscription> =>
  unwrap(client.DELETE('/api/subscriptions/{id}', { params: { path: { id } } }));

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

/**
 * Shows whether the viewer has access, with the coach's count as the server has it: also of others who have come and gone.
 * Resolves when what it opens or locks has been read again.
 */
export function showChanged(queryClient: QueryClient, coach: Profile, access: boolean): Promise<void> {
  const { subscribers } = coach.stats;
  changeProfile(queryClient, coach.id, (profile): Profile => {
    const shown = withSubscribed(profile, access);
    return subscribers === null ? shown : { ...shown, stats: { ...shown.stats, subscribers } };
  });
  tellOtherTabs();
  return readAgainAfterSubscription(queryClient, coach.id, access);
}
