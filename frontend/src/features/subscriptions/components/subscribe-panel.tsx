import { useRef } from 'react';
import type { Profile } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { useSubscriptionTexts } from '../texts.js';
import { useSubscription } from '../use-subscription.js';
import { MonthlyPrice } from './monthly-price.js';
import classes from './subscribe.module.css';

/** On a coach's profile: the price, and Subscribe or Unsubscribe (SUBS-25). */
export function SubscribePanel({ coach }: { coach: Profile }) {
  const { subscriptions, subscribing } = useSubscriptionTexts();
  const subscribed = coach.viewer?.subscribed === true;
  const unknown = coach.viewer?.subscribed === null;
  const button = useRef<HTMLButtonElement>(null);
  const { subscribe, unsubscribe, busy } = useSubscription({ coach, subscribed, target: button });
  return (
    <section className={`card ${classes.panel}`} aria-label={subscriptions.panel}>
      <div className={classes.offer}>
        <MonthlyPrice coach={coach} />
        {subscribed && <p className={classes.subscribed}>{subscriptions.subscribed}</p>}
        <p className={classes.terms}>{subscriptions.terms}</p>
      </div>
      {unknown ? (
        <p className={classes.terms}>{subscriptions.unavailable}</p>
      ) : (
        // One button for both, which keeps the focus.
        <BusyButton
          ref={button}
          className={classes.action}
          variant={subscribed ? 'default' : 'filled'}
          label={subscribed ? subscribing.unsubscribe : subscribing.subscribe}
          busy={busy}
          onClick={subscribed ? unsubscribe : subscribe}
        />
      )}
    </section>
  );
}
