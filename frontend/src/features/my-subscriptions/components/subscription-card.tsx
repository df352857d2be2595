import { useRef } from 'react';
import type { ReactNode } from 'react';
import type { Subscription } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { CoachSummary } from '../../../components/coach-summary.js';
import { fullDate } from '../../../components/relative-time.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { courseOf } from '../../../shared/subscribing/subscription.js';
import { useStanding } from '../../../shared/subscribing/use-standing.js';
import { price, toMinor } from '../../../i18n/price.js';
import { useMySubscriptionTexts } from '../texts.js';
import { Refunded, SubscriptionHead, ViewProfile } from './card-parts.js';
import classes from './subscriptions.module.css';

interface SubscriptionCardProps {
  subscription: Subscription;
  /** The way to another card, where the last payment has failed. */
  mend?: ReactNode;
}

/** A subscription of the viewer (SUBS-23, SUBS-33); Unsubscribe asks first (SUBS-24). */
export function SubscriptionCard({ subscription, mend }: SubscriptionCardProps) {
  const texts = useMySubscriptionTexts();
  const { mine, standing } = texts;
  const { coach, startDate, createdAt, accessUntil, paid, currentPeriodEnd } = subscription;
  const entry = useFocusHandover<HTMLLIElement>('main');
  const button = useRef<HTMLButtonElement>(null);
  const { resume, unsubscribe, busy } = useStanding({
    coach,
    paidUntil: currentPeriodEnd,
    unsubscribed: mine.done,
    notUnsubscribed: mine.failed,
    target: button,
  });
  const course = courseOf(subscription);
  const end = accessUntil && fullDate(accessUntil, texts.locale);
  const pays = paid && price(toMinor(paid.amount), paid.currency, texts.locale);
  const isEnding = course === 'ending';
  // Of somebody who is no coach any more nothing can be resumed.
  const isOffered = course !== 'ended' && (!isEnding || coach.isCoach);

  return (
    <li ref={entry} tabIndex={-1} className={`card ${classes.card}`}>
      <SubscriptionHead coach={coach}>
        {course === 'on' && <span className={classes.active}>{mine.active}</span>}
        {(isEnding || course === 'ended') && <span className={classes.warned}>{mine.ending}</span>}
        {course === 'unpaid' && <span className={classes.warned}>{mine.unpaid}</span>}
      </SubscriptionHead>
      <CoachSummary coach={coach} />
      {isEnding || course === 'ended' ? (
        <>
          {end && <p className={classes.warning}>{standing.accessUntil(end)}</p>}
          {isEnding && coach.isCoach && pays && (
            <p className={classes.muted}>{standing.paysIfResumed(pays)}</p>
          )}
        </>
      ) : (
        <p className={classes.muted}>{pays ? standing.pays(pays) : mine.paysNothing}</p>
      )}
      <p className={classes.muted}>{mine.subscribedOn(fullDate(startDate ?? createdAt, texts.locale))}</p>
      {course === 'on' && pays && currentPeriodEnd && (
        <p className={classes.muted}>{mine.renewsOn(fullDate(currentPeriodEnd, texts.locale))}</p>
      )}
      {course === 'unpaid' && end && <p className={classes.warning}>{standing.unpaid(end)}</p>}
      {course === 'ended' && coach.isCoach && <p className={classes.muted}>{standing.againThen}</p>}
      <Refunded subscription={subscription} />
      <div className={classes.actions}>
        {course === 'unpaid' && mend}
        <ViewProfile coach={coach} />
        {isOffered && (
          <BusyButton
            ref={button}
            variant="default"
            label={isEnding ? standing.resume : standing.unsubscribe}
            busyLabel={isEnding ? standing.resuming : mine.unsubscribing}
            busy={busy}
            aria-label={
              busy ? undefined : (isEnding ? standing.resumeOf : standing.unsubscribeFrom)(coach.name)
            }
            onClick={isEnding ? resume : unsubscribe}
          />
        )}
      </div>
    </li>
  );
}
