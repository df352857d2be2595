import { useRef } from 'react';
import type { Profile } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { useStandingTexts } from '../../../shared/subscribing/standing-texts.js';
import { courseOf } from '../../../shared/subscribing/subscription.js';
import { useStanding } from '../../../shared/subscribing/use-standing.js';
import { useSubscriptionTexts } from '../texts.js';
import { useSubscribe } from '../use-subscribe.js';
import classes from './subscribe.module.css';

/**
 * On a coach's card: Subscribe, Resume or Unsubscribe, quiet, and named after the coach (SUBS-25). Nothing while billing is down,
 * nor while access runs out.
 */
export function SubscribeButton({ coach }: { coach: Profile }) {
  const { subscribing } = useSubscriptionTexts();
  const { standing } = useStandingTexts();
  const button = useRef<HTMLButtonElement>(null);
  const { subscribe, busy } = useSubscribe({ coach, target: button });
  const { resume, unsubscribe } = useStanding({
    coach,
    unsubscribed: standing.unsubscribeDone,
    notUnsubscribed: standing.updateFailed,
    target: button,
  });
  const { subscribed = false, subscription = null } = coach.viewer ?? {};
  const course = subscription && courseOf(subscription);
  if (subscribed === null || course === 'ended') return null;
  // Of somebody who is no coach any more nothing can be resumed.
  if (course === 'ending' && !coach.isCoach) return null;
  const offers = {
    subscribe: { label: subscribing.subscribe, named: subscribing.subscribeTo, press: subscribe },
    resume: { label: standing.resume, named: standing.resumeOf, press: resume },
    unsubscribe: { label: standing.unsubscribe, named: standing.unsubscribeFrom, press: unsubscribe },
  };
  const { label, named, press } =
    offers[course === 'ending' ? 'resume' : subscribed ? 'unsubscribe' : 'subscribe'];
  return (
    <BusyButton
      ref={button}
      className={classes.onCard}
      variant="default"
      label={label}
      aria-label={named(coach.name)}
      busy={busy}
      onClick={press}
    />
  );
}
