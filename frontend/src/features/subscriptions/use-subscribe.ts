import type { RefObject } from 'react';
import type { Profile } from '../../api/types.js';
import { toast } from '../../components/feedback/feedback-store.js';
import { useAskToLogIn, usePendingAction } from '../../components/login-required.js';
import { errorText, hasCode } from '../../server/http/api-error.js';
import { useCurrentUser } from '../../server/session/session.js';
import { subscribeAct, useChangeSubscription } from '../../shared/subscribing/change-subscription.js';
import { useSubscriptionTexts } from './texts.js';

interface Options {
  /** The author of a post does not have `viewer`: what is locked is not subscribed to. */
  coach: Pick<Profile, 'id' | 'name' | 'subscriptionPrice'> & Partial<Pick<Profile, 'viewer'>>;
  /** Gets the focus after the login. */
  target: RefObject<HTMLElement | null>;
}

/** Subscribes to a coach, with the outcome told (SUBS-25). Asks visitors to log in (UI-34). */
export function useSubscribe({ coach, target }: Options) {
  const texts = useSubscriptionTexts();
  const { subscriptions, subscribing } = texts;
  const viewer = useCurrentUser();
  const act = subscribeAct(coach.id);
  /** SUBS-14, SUBS-19. */
  const failure = (error: unknown) => {
    if (hasCode(error, 'coach-not-ready')) return subscribing.coachNotReady(coach.name);
    if (hasCode(error, 'price-not-set')) return subscribing.priceNotSet(coach.name);
    if (hasCode(error, 'outcome-unknown')) return subscribing.outcomeUnknown;
    return errorText(error, subscribing.failed, texts);
  };
  const { change, busy } = useChangeSubscription(coach, {
    onDone: () => toast({ type: 'success', message: subscribing.done(coach.name), act }),
    onFailed: (error) => toast({ type: 'error', message: failure(error), act }),
  });
  const askToLogIn = useAskToLogIn();
  usePendingAction(
    act,
    () => {
      // Nothing is left to do for who is subscribed already.
      if (!coach.viewer?.subscribed && coach.id !== viewer?.id) change('subscribe');
    },
    target,
  );
  const subscribe = () => {
    if (!viewer) return askToLogIn(subscriptions.loginToSubscribe, act);
    change('subscribe');
  };
  return { subscribe, busy };
}
