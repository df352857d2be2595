import type { RefObject } from 'react';
import { errorText } from '../../server/http/api-error.js';
import type { Profile } from '../../api/types.js';
import { toast } from '../../components/feedback/feedback-store.js';
import { useAskToLogIn, usePendingAction } from '../../components/login-required.js';
import { useCurrentUser } from '../../server/session/session.js';
import { askToUnsubscribe } from '../../shared/subscribing/ask-to-unsubscribe.js';
import { subscribeAct, useChangeSubscription } from '../../shared/subscribing/change-subscription.js';
import { subscribeFailure } from '../../shared/subscribing/subscribe-failure.js';
import { useSubscriptionTexts } from './texts.js';

interface Options {
  coach: Pick<Profile, 'id' | 'name' | 'subscriptionPrice'>;
  /** Nothing is left to do where it is true after the login. */
  subscribed: boolean;
  /** Gets the focus after the login, and after the question. */
  target: RefObject<HTMLElement | null>;
}

/** Subscribes to a coach and unsubscribes, with the outcome told (SUBS-25). Asks visitors to log in (UI-34). */
export function useSubscription({ coach, subscribed, target }: Options) {
  const texts = useSubscriptionTexts();
  const { subscriptions, subscribing } = texts;
  const viewer = useCurrentUser();
  const { change, busy } = useChangeSubscription(coach, {
    onDone: (done) => {
      const message = (done ? subscribing.done : subscriptions.unsubscribeDone)(coach.name);
      toast({ type: 'success', message, act: subscribeAct(coach.id) });
    },
    onFailed: (error, wanted) => {
      const message = wanted
        ? subscribeFailure(error, coach.name, texts)
        : errorText(error, subscriptions.updateFailed, texts);
      toast({ type: 'error', message, act: subscribeAct(coach.id) });
    },
  });

  const askToLogIn = useAskToLogIn();
  const subscribeThis = subscribeAct(coach.id);
  usePendingAction(
    subscribeThis,
    () => {
      if (!subscribed && coach.id !== viewer?.id) change(true);
    },
    target,
  );
  const subscribe = () => {
    if (!viewer) return askToLogIn(subscriptions.loginToSubscribe, subscribeThis);
    change(true);
  };
  const unsubscribe = async () => {
    if (await askToUnsubscribe(coach.name, texts, () => target.current)) change(false);
  };
  return { subscribe, unsubscribe: () => void unsubscribe(), busy };
}
