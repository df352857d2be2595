import type { RefObject } from 'react';
import type { Profile, Subscription } from '../../api/types.js';
import { toast } from '../../components/feedback/feedback-store.js';
import { errorText, hasCode } from '../../server/http/api-error.js';
import { askToUnsubscribe } from './ask-to-unsubscribe.js';
import { subscribeAct, useChangeSubscription } from './change-subscription.js';
import type { Change } from './change-subscription.js';
import { useSubscribingTexts } from './texts.js';
import type { SubscribingTexts } from './texts.js';

interface Told {
  /** The author of a post does not have `viewer`: what is locked is not subscribed to. */
  coach: Pick<Profile, 'id' | 'name' | 'subscriptionPrice'> & Partial<Pick<Profile, 'viewer'>>;
  /** The end of the month that is paid, where it is known. */
  paidUntil?: Subscription['currentPeriodEnd'];
  /** What an unsubscribe says: each place has its own texts (SUBS-24, SUBS-25). */
  unsubscribed: (coach: string) => string;
  notUnsubscribed: string;
  /** Gets the focus after the question. */
  target: RefObject<HTMLElement | null>;
}

/** Changes the subscription to a coach, and tells what has come of it. An unsubscribe asks first (SUBS-24). */
export function useToldChange({ coach, paidUntil, unsubscribed, notUnsubscribed, target }: Told) {
  const texts = useSubscribingTexts();
  const { done, resumed, failed, updateFailed } = texts.subscribing;
  const doneTexts = { subscribe: done, resume: resumed, unsubscribe: unsubscribed };
  const failures = { subscribe: failed, resume: updateFailed, unsubscribe: notUnsubscribed };
  const act = subscribeAct(coach.id);
  const { change, busy } = useChangeSubscription(coach, {
    onDone: (wanted) => toast({ type: 'success', message: doneTexts[wanted](coach.name), act }),
    onFailed: (error, wanted) =>
      toast({ type: 'error', message: failure(error, wanted, coach.name, failures[wanted], texts), act }),
  });
  const unsubscribe = async () => {
    const subscription = coach.viewer?.subscription;
    const asked = subscription && { ...subscription, currentPeriodEnd: paidUntil };
    if (await askToUnsubscribe(coach.name, asked, texts, () => target.current)) change('unsubscribe');
  };
  return {
    subscribe: () => change('subscribe'),
    resume: () => change('resume'),
    unsubscribe: () => void unsubscribe(),
    busy,
  };
}

/** Why it was refused (SUBS-14, SUBS-19). */
function failure(
  error: unknown,
  wanted: Change,
  coach: string,
  fallback: string,
  texts: SubscribingTexts,
): string | undefined {
  const { subscribing } = texts;
  if (wanted !== 'unsubscribe') {
    if (hasCode(error, 'coach-not-ready')) return subscribing.coachNotReady(coach);
    if (hasCode(error, 'price-not-set')) return subscribing.priceNotSet(coach);
    if (hasCode(error, 'outcome-unknown')) return subscribing.outcomeUnknown;
  }
  return errorText(error, fallback, texts);
}
