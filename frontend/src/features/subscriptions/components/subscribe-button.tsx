import { useRef } from 'react';
import type { Profile } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { useSubscriptionTexts } from '../texts.js';
import { useSubscription } from '../use-subscription.js';
import classes from './subscribe.module.css';

/** On a coach's card: Subscribe or Unsubscribe, quiet, and named after the coach (SUBS-25). Nothing while billing is down. */
export function SubscribeButton({ coach }: { coach: Profile }) {
  const { subscribing } = useSubscriptionTexts();
  const subscribed = coach.viewer?.subscribed === true;
  const button = useRef<HTMLButtonElement>(null);
  const { subscribe, unsubscribe, busy } = useSubscription({ coach, subscribed, target: button });
  if (coach.viewer?.subscribed === null) return null;
  const named = subscribed ? subscribing.unsubscribeFrom : subscribing.subscribeTo;
  return (
    <BusyButton
      ref={button}
      className={classes.onCard}
      variant="default"
      label={subscribed ? subscribing.unsubscribe : subscribing.subscribe}
      aria-label={named(coach.name)}
      busy={busy}
      onClick={subscribed ? unsubscribe : subscribe}
    />
  );
}
