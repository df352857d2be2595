import type { RefObject } from 'react';
import type { Profile } from '../../api/types.js';
import { useAskToLogIn, usePendingAction } from '../../components/login-required.js';
import { useCurrentUser } from '../../server/session/session.js';
import { subscribeAct } from '../../shared/subscribing/change-subscription.js';
import { useToldChange } from '../../shared/subscribing/use-told-change.js';
import { useSubscriptionTexts } from './texts.js';

interface Options {
  /** The author of a post does not have `viewer`: what is locked is not subscribed to. */
  coach: Pick<Profile, 'id' | 'name' | 'subscriptionPrice'> & Partial<Pick<Profile, 'viewer'>>;
  /** Gets the focus after the login, and after the question. */
  target: RefObject<HTMLElement | null>;
}

/** Subscribes to a coach, resumes and unsubscribes, with the outcome told (SUBS-25). Asks visitors to log in (UI-34). */
export function useSubscription({ coach, target }: Options) {
  const { subscriptions, subscribing } = useSubscriptionTexts();
  const viewer = useCurrentUser();
  const told = useToldChange({
    coach,
    unsubscribed: subscriptions.unsubscribeDone,
    notUnsubscribed: subscribing.updateFailed,
    target,
  });
  const askToLogIn = useAskToLogIn();
  const subscribeThis = subscribeAct(coach.id);
  usePendingAction(
    subscribeThis,
    () => {
      // Nothing is left to do for who is subscribed already.
      if (!coach.viewer?.subscribed && coach.id !== viewer?.id) told.subscribe();
    },
    target,
  );
  const subscribe = () => {
    if (!viewer) return askToLogIn(subscriptions.loginToSubscribe, subscribeThis);
    told.subscribe();
  };
  return { ...told, subscribe };
}
