import type { RefObject } from 'react';
import type { Profile, Subscription } from '../../api/types.js';
import { toast } from '../../components/feedback/feedback-store.js';
import { errorText } from '../../server/http/api-error.js';
import { askToUnsubscribe } from './ask-to-unsubscribe.js';
import { subscribeAct, useChangeSubscription } from './change-subscription.js';
import { useStandingTexts } from './standing-texts.js';

interface Standing {
  coach: Pick<Profile, 'id' | 'name' | 'subscriptionPrice' | 'viewer'>;
  /** The end of the month that is paid, where it is known. */
  paidUntil?: Subscription['currentPeriodEnd'];
  /** What an unsubscribe says: each place has its own texts (SUBS-24, SUBS-25). */
  unsubscribed: (coach: string) => string;
  notUnsubscribed: string;
  /** Gets the focus after the question. */
  target: RefObject<HTMLElement | null>;
}

/** Resumes the subscription to a coach, or unsubscribes, and tells what has come of it. An unsubscribe asks first (SUBS-24). */
export function useStanding({ coach, paidUntil, unsubscribed, notUnsubscribed, target }: Standing) {
  const texts = useStandingTexts();
  const { standing } = texts;
  const act = subscribeAct(coach.id);
  const { change, busy } = useChangeSubscription(coach, {
    onDone: (done) => {
      const message = (done === 'resume' ? standing.resumed : unsubscribed)(coach.name);
      toast({ type: 'success', message, act });
    },
    onFailed: (error, wanted) => {
      const fallback = wanted === 'resume' ? standing.updateFailed : notUnsubscribed;
      toast({ type: 'error', message: errorText(error, fallback, texts), act });
    },
  });
  const unsubscribe = async () => {
    const subscription = coach.viewer?.subscription;
    const asked = subscription && { ...subscription, currentPeriodEnd: paidUntil };
    if (await askToUnsubscribe(coach.name, asked, texts, () => target.current)) change('unsubscribe');
  };
  return { resume: () => change('resume'), unsubscribe: () => void unsubscribe(), busy };
}
