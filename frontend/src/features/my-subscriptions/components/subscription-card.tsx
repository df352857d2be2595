import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { errorText } from '../../../server/http/api-error.js';
import type { Subscription } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { BusyButton } from '../../../components/busy-button.js';
import { CoachSummary } from '../../../components/coach-summary.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { PersonLink } from '../../../components/person-link.js';
import { Handle } from '../../../components/person-names.js';
import { profilePath } from '../../../components/profile-path.js';
import { fullDate } from '../../../components/relative-time.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { askToUnsubscribe } from '../../../shared/subscribing/ask-to-unsubscribe.js';
import { subscribeAct, useChangeSubscription } from '../../../shared/subscribing/change-subscription.js';
import { subscribeFailure } from '../../../shared/subscribing/subscribe-failure.js';
import { price, toMinor } from '../../../i18n/price.js';
import { useMySubscriptionTexts } from '../texts.js';
import classes from './subscriptions.module.css';

/** It runs, and will end by itself. */
const isEnding = ({ status, cancelAtPeriodEnd }: Subscription): boolean =>
  cancelAtPeriodEnd || status === 'cancelled';

/** A subscription of the viewer (SUBS-23); Unsubscribe asks first (SUBS-24). */
export function SubscriptionCard({ subscription }: { subscription: Subscription }) {
  const texts = useMySubscriptionTexts();
  const { mine, subscribing } = texts;
  const { coach, status, startDate, createdAt, accessUntil, paid } = subscription;
  const entry = useFocusHandover<HTMLLIElement>('main');
  const button = useRef<HTMLButtonElement>(null);
  const { change, busy } = useChangeSubscription(coach, {
    onDone: (subscribed) => {
      const message = (subscribed ? subscribing.done : mine.done)(coach.name);
      toast({ type: 'success', message, act: subscribeAct(coach.id) });
    },
    onFailed: (error, wanted) => {
      const message = wanted
        ? subscribeFailure(error, coach.name, texts)
        : errorText(error, mine.failed, texts);
      toast({ type: 'error', message, act: subscribeAct(coach.id) });
    },
  });
  const ending = isEnding(subscription);
  const unsubscribe = async () => {
    if (await askToUnsubscribe(coach.name, texts, () => button.current)) change(false);
  };

  return (
    <li ref={entry} tabIndex={-1} className={`card ${classes.card}`}>
      <div className={classes.head}>
        <Avatar user={coach} size={48} />
        <div className={classes.identity}>
          <h2 className={classes.name}>
            <PersonLink user={coach} name={coach.name} />
          </h2>
          <p className={classes.handle}>
            <Handle user={coach} />
          </p>
          <p className={classes.badges}>
            {coach.isCoach && <Badge>{texts.account.coach}</Badge>}
            {status === 'active' && <span className={classes.active}>{mine.active}</span>}
          </p>
        </div>
      </div>
      <CoachSummary coach={coach} />
      <p className={classes.muted}>
        {paid ? mine.pays(price(toMinor(paid.amount), paid.currency, texts.locale)) : mine.paysNothing}
      </p>
      <p className={classes.muted}>
        {mine.subscribedOn(fullDate(startDate ?? createdAt, texts.locale))}
        {ending && accessUntil && (
          <span className={classes.until}>{mine.accessUntil(fullDate(accessUntil, texts.locale))}</span>
        )}
      </p>
      <div className={classes.actions}>
        <Button
          component={Link}
          to={profilePath(coach)}
          variant="default"
          aria-label={mine.viewProfileOf(coach.name)}
        >
          {mine.viewProfile}
        </Button>
        <BusyButton
          ref={button}
          variant="default"
          label={ending ? subscribing.subscribe : subscribing.unsubscribe}
          busyLabel={ending ? subscribing.busy : mine.unsubscribing}
          busy={busy}
          aria-label={
            busy ? undefined : (ending ? subscribing.subscribeTo : subscribing.unsubscribeFrom)(coach.name)
          }
          onClick={ending ? () => change(true) : () => void unsubscribe()}
        />
      </div>
    </li>
  );
}
