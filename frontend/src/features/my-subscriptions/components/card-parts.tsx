import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Profile, Subscription } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { PersonLink } from '../../../components/person-link.js';
import { Handle } from '../../../components/person-names.js';
import { profilePath } from '../../../components/profile-path.js';
import { fullDate } from '../../../components/relative-time.js';
import { price, toMinor } from '../../../i18n/price.js';
import { useMySubscriptionTexts } from '../texts.js';
import classes from './subscriptions.module.css';

/** To whom a subscription is; `children`: a badge that tells what has become of it. */
export function SubscriptionHead({ coach, children }: { coach: Profile; children: ReactNode }) {
  const { account } = useMySubscriptionTexts();
  return (
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
          {coach.isCoach && <Badge>{account.coach}</Badge>}
          {children}
        </p>
      </div>
    </div>
  );
}

/** What was paid back of a subscription, and when for the last time (SUBS-35). */
export function Refunded({ subscription: { refunded } }: { subscription: Subscription }) {
  const { mine, locale } = useMySubscriptionTexts();
  if (!refunded) return null;
  const amount = price(toMinor(refunded.amount), refunded.currency, locale);
  return <p className={classes.muted}>{mine.refunded(amount, fullDate(refunded.at, locale))}</p>;
}

export function ViewProfile({ coach }: { coach: Profile }) {
  const { mine } = useMySubscriptionTexts();
  return (
    <Button
      component={Link}
      to={profilePath(coach)}
      variant="default"
      aria-label={mine.viewProfileOf(coach.name)}
    >
      {mine.viewProfile}
    </Button>
  );
}
