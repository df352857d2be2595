import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { changeProfile } from '../../server/queries/profile-cache.js';
import { queryKeys } from '../../server/queries/query-keys.js';
import type { OwnSubscription, Profile, Subscription } from '../../api/types.js';
import { useSingleMutation } from '../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../server/client/client.js';
import { hasCode } from '../../server/http/api-error.js';
import { takesPayments } from '../config.js';
import { FREE, isSubscribed, withSubscription } from './subscription.js';
import { readAgainAfterSubscription } from './read-again.js';
import { tellOtherTabs, withoutCoach } from './subscription-list.js';
import type { SubscriptionPages } from './subscription-list.js';

/** The key of the change to the viewer's subscription to a coach that is on its way; of all its buttons. */
export const changeKey = (coachId: string) => ['subscription', coachId];

/** The act of notices. */
export const subscribeAct = (coachId: string) => `subscribe:${coachId}`;

/** `resume`: one that is paid and was to end goes on. */
export type Change = 'subscribe' | 'resume' | 'unsubscribe';

interface Outcome {
  onDone: (change: Change) => void;
  onFailed: (error: unknown, change: Change) => void;
}

/** The author of a post does not have `viewer`: what is locked is not subscribed to. */
type Coach = Pick<Profile, 'id' | 'subscriptionPrice'> & {
  viewer?: Pick<NonNullable<Profile['viewer']>, 'subscription'> | null;
};

/**
 * PUT and DELETE /api/subscriptions/{coachId}. What costs nothing is shown at once and undone on failure; of what is paid the
 * answer tells what has come of it. One call at a time for a coach, whichever of their buttons is pressed. It is under way until
 * what the subscription opens or locks has been read again. Where it has to be paid first it leads to the provider's page
 * (SUBS-14); a resume never does.
 */
export function useChangeSubscription(coach: Coach, outcome: Outcome) {
  const { id: coachId, subscriptionPrice } = coach;
  const own = coach.viewer?.subscription ?? null;
  const { onDone, onFailed } = outcome;
  const queryClient = useQueryClient();
  const mutationKey = changeKey(coachId);
  const isFree = (change: Change) => (change === 'subscribe' ? !subscriptionPrice : !own?.paid);
  const change = useSingleMutation({
    mutationKey,
    mutationFn: async (wanted: Change) => {
      if (wanted === 'unsubscribe') return unsubscribe(coachId);
      if (wanted === 'resume') return begin(coachId);
      // Where the configuration cannot be read the server tells.
      const isPaid = Boolean(subscriptionPrice) && (await takesPayments(queryClient).catch(() => false));
      return isPaid ? pay(coachId) : subscribe(coachId);
    },
    onMutate: (wanted) =>
      isFree(wanted) ? showAtOnce(queryClient, coachId, wanted !== 'unsubscribe', own) : undefined,
    onSuccess: async (subscription, wanted, undo) => {
      if (!subscription) {
        undo?.();
        return readOwnAgain(queryClient, coachId);
      }
      onDone(wanted);
      await showChanged(queryClient, subscription.coach, isSubscribed(subscription));
    },
    onError: (error, wanted, undo) => {
      undo?.();
      onFailed(error, wanted);
      // It may have ended meanwhile.
      if (wanted === 'resume') void readOwnAgain(queryClient, coachId);
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
  return pay(id);
}

async function pay(id: string): Promise<Subscription | undefined> {
  try {
    const { openCheckout } = await import('./open-checkout.js');
    await openCheckout(id);
    return undefined;
  } catch (error) {
    // Paid already, in another tab: billing has just seen it at the provider. Or the coach asks nothing any more.
    if (!hasCode(error, 'conflict', 'unprocessable')) throw error;
    return begin(id);
  }
}

const unsubscribe = (id: string): Promise<Subscription> =>
  unwrap(client.DELETE('/api/subscriptions/{id}', { params: { path: { id } } }));

/** @returns what takes it back */
async function showAtOnce(
  queryClient: QueryClient,
  coachId: string,
  subscribed: boolean,
  before: OwnSubscription | null,
) {
  const profiles = queryClient.getQueriesData<unknown>({ queryKey: queryKeys.profiles.all });
  await queryClient.cancelQueries({ queryKey: queryKeys.subscriptions });
  const list = queryClient.getQueryData<SubscriptionPages>(queryKeys.subscriptions);
  const show = (is: boolean, own: OwnSubscription | null) =>
    changeProfile(queryClient, coachId, (profile) => withSubscription(profile, is, own));
  show(subscribed, subscribed ? FREE : null);
  if (!subscribed && list) queryClient.setQueryData(queryKeys.subscriptions, withoutCoach(list, coachId));
  const changed = queryClient.getQueriesData<unknown>({ queryKey: queryKeys.profiles.all });
  const wasChanged = changed.some(([, data], index) => data !== profiles[index]?.[1]);
  return () => {
    if (wasChanged) show(!subscribed, before);
    if (list) queryClient.setQueryData(queryKeys.subscriptions, list);
  };
}

/**
 * Shows whether the viewer has access, and by what subscription, with the coach's count as the server has it: also of others who
 * have come and gone. Resolves when what it opens or locks has been read again.
 */
export function showChanged(queryClient: QueryClient, coach: Profile, access: boolean): Promise<void> {
  const { subscribers } = coach.stats;
  changeProfile(queryClient, coach.id, (profile): Profile => {
    const shown = withSubscription(profile, access, coach.viewer?.subscription ?? null);
    return subscribers === null ? shown : { ...shown, stats: { ...shown.stats, subscribers } };
  });
  tellOtherTabs();
  return readAgainAfterSubscription(queryClient, coach.id, access);
}

/** Where the page may show a state that has passed. */
function readOwnAgain(queryClient: QueryClient, coachId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.all });
  return readAgainAfterSubscription(queryClient, coachId, true);
}
