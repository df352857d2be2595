import type { Subscription } from '../../../api/types.js';
import { useMySubscriptionTexts } from '../texts.js';
import { Refunded, SubscriptionHead, ViewProfile } from './card-parts.js';
import classes from './subscriptions.module.css';

/** Subscriptions that a dispute has ended, or of which money was paid back (SUBS-35). They give no access any more. */
export function EndedSubscriptions({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const { mine } = useMySubscriptionTexts();
  return (
    <section aria-labelledby="ended-subscriptions">
      <h2 id="ended-subscriptions" className={classes.section}>
        {mine.endedList}
      </h2>
      <ul className={classes.list}>
        {subscriptions.map((subscription) => (
          <li key={subscription.id} className={`card ${classes.card}`}>
            <SubscriptionHead coach={subscription.coach}>
              <span className={classes.over}>{mine.over}</span>
            </SubscriptionHead>
            {subscription.disputed && <p>{mine.disputed}</p>}
            <Refunded subscription={subscription} />
            {/* Of a coach who is gone, or hides from the viewer, there is none (SUBS-31). */}
            {subscription.coach.username !== null && (
              <div className={classes.actions}>
                <ViewProfile coach={subscription.coach} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
