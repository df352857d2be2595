import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import type { OwnSubscription, Profile } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { fullDate } from '../../../components/relative-time.js';
import { useWindowFocus } from '../../../components/use-window-focus.js';
import { price, toMinor } from '../../../i18n/price.js';
import { useLiveEvents } from '../../../server/live/live-events.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { useStandingTexts } from '../../../shared/subscribing/standing-texts.js';
import type { Course } from '../../../shared/subscribing/subscription.js';
import { useOffer } from '../use-offer.js';
import { MonthlyPrice } from './monthly-price.js';
import classes from './subscribe.module.css';

interface SubscribePanelProps {
  coach: Profile;
  /** The way to another card, where the last payment has failed. */
  mend?: ReactNode;
}

/** On a coach's profile: the price and Subscribe, or what has become of the viewer's subscription (SUBS-25, SUBS-33). */
export function SubscribePanel({ coach, mend }: SubscribePanelProps) {
  const { standing } = useStandingTexts();
  const button = useRef<HTMLButtonElement>(null);
  const { offer, label, named, press, busy, subscribed, subscription, course, isOffered } = useOffer(
    coach,
    button,
  );
  const queryClient = useQueryClient();
  // What is paid may have been changed on the provider's pages, which have led back.
  const readAgain = () => {
    if (!subscription?.paid) return;
    void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.byId(coach.id) });
    if (coach.username)
      void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.byUsername(coach.username) });
  };
  useWindowFocus(readAgain);
  useLiveEvents(({ type }) => {
    if (type === 'reload') readAgain();
  });
  return (
    <section className={`card ${classes.panel}`} aria-label={standing.panel}>
      <div className={classes.offer}>
        {subscription && course ? (
          <Standing coach={coach} subscription={subscription} course={course} />
        ) : (
          <>
            <MonthlyPrice coach={coach} />
            {subscribed && <p className={classes.subscribed}>{standing.subscribed}</p>}
          </>
        )}
        {(!course || course === 'on') && <p className={classes.terms}>{standing.terms}</p>}
      </div>
      {subscribed === null ? (
        <p className={classes.terms}>{standing.unavailable}</p>
      ) : (
        isOffered && (
          <div className={classes.actions}>
            {course === 'unpaid' && mend}
            {/* One button for all, which keeps the focus. */}
            <BusyButton
              ref={button}
              variant={offer === 'unsubscribe' ? 'default' : 'filled'}
              busy={busy}
              onClick={press}
              label={label}
              // The page is the coach's; what is resumed is said in full.
              aria-label={offer === 'resume' ? named(coach.name) : undefined}
            />
          </div>
        )
      )}
    </section>
  );
}

interface StandingProps {
  coach: Profile;
  subscription: OwnSubscription;
  course: Course;
}

/** What the viewer pays is the price they joined at; where the coach asks another one now, that is said to be for others. */
function Standing({ coach, subscription: { accessUntil, paid }, course }: StandingProps) {
  const { standing, locale } = useStandingTexts();
  const end = accessUntil && fullDate(accessUntil, locale);
  const pays = paid && price(toMinor(paid.amount), paid.currency, locale);
  const { subscriptionPrice, subscriptionCurrency } = coach;
  const asks =
    subscriptionPrice !== null &&
    subscriptionCurrency !== null &&
    price(toMinor(subscriptionPrice), subscriptionCurrency, locale);
  const isOn = course === 'on' || course === 'unpaid';
  return (
    <>
      {course === 'on' && <p className={classes.subscribed}>{standing.subscribed}</p>}
      {course === 'unpaid' && end && <p className={classes.warning}>{standing.unpaid(end)}</p>}
      {!isOn && end && <p className={classes.warning}>{standing.accessUntil(end)}</p>}
      {isOn && pays && <p className={classes.pays}>{standing.pays(pays)}</p>}
      {course === 'ending' && coach.isCoach && pays && (
        <p className={classes.terms}>{standing.paysIfResumed(pays)}</p>
      )}
      {course === 'ended' && coach.isCoach && <p className={classes.terms}>{standing.againThen}</p>}
      {isOn && asks && asks !== pays && <p className={classes.terms}>{standing.forOthers(asks)}</p>}
    </>
  );
}
