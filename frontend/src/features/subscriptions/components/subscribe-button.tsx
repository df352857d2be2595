import { useRef } from 'react';
import type { Profile } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { useOffer } from '../use-offer.js';
import classes from './subscribe.module.css';

/**
 * On a coach's card: Subscribe, Resume or Unsubscribe, quiet, and named after the coach (SUBS-25). Nothing while billing is down,
 * nor while access runs out.
 */
export function SubscribeButton({ coach }: { coach: Profile }) {
  const button = useRef<HTMLButtonElement>(null);
  const { label, named, press, busy, subscribed, isOffered } = useOffer(coach, button);
  if (subscribed === null || !isOffered) return null;
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
