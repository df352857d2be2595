import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Profile } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { CoachSummary } from '../../../components/coach-summary.js';
import { profilePath } from '../../../components/profile-path.js';
import { RatingLine } from '../../../components/stars.js';
import { price, toMinor } from '../../../i18n/price.js';
import { courseOf } from '../../../shared/subscribing/subscription.js';
import { useDirectoryTexts } from '../texts.js';
import classes from './directory.module.css';

interface CoachCardProps {
  coach: Profile;
  /** What can be done with this coach, such as following. */
  action?: ReactNode;
}

export function CoachCard({ coach, action }: CoachCardProps) {
  return (
    <li className={`card ${classes.coach}`}>
      <div className={classes.head}>
        <Avatar user={coach} size={48} />
        <div className={classes.identity}>
          <h2 className={`two-lines ${classes.name}`} title={coach.name}>
            <Link to={profilePath(coach)} className={classes.link} dir="auto">
              {coach.name}
            </Link>
          </h2>
          {coach.username && <p className={`one-line ${classes.handle}`}>@{coach.username}</p>}
        </div>
      </div>
      <CoachSummary coach={coach} />
      <div className={classes.foot}>
        <Figures coach={coach} />
        {action && <div className={classes.action}>{action}</div>}
      </div>
    </li>
  );
}

/** Price, rating, followers and posts; a figure is left out while its service is down, the rating until there is a review. */
function Figures({ coach }: { coach: Profile }) {
  const { rating, stats } = coach;
  const { directory, locale } = useDirectoryTexts();
  const format = new Intl.NumberFormat(locale, { notation: 'compact' });
  return (
    <p className={classes.figures}>
      <MonthlyCost coach={coach} />
      {rating.totalReviews !== 0 && <RatingLine rating={rating} />}
      <span className={classes.counts}>
        {stats.followers !== null && (
          <span>{directory.followers(stats.followers, format.format(stats.followers))}</span>
        )}
        {stats.posts !== null && <span>{directory.posts(stats.posts, format.format(stats.posts))}</span>}
      </span>
    </p>
  );
}

/** What the viewer pays as a subscriber, also with another present price (SUBS-25); else that price. */
function MonthlyCost({ coach: { viewer, subscriptionPrice, subscriptionCurrency } }: { coach: Profile }) {
  const { directory, locale } = useDirectoryTexts();
  const own = viewer?.subscription;
  const course = own && courseOf(own);
  // Who has left for good subscribes at the present price; what is resumed goes on at its own.
  const paid = course === 'ended' ? null : own?.paid;
  const text = course === 'ending' ? directory.perMonth : directory.youPay;
  if (paid)
    return <span className={classes.price}>{text(price(toMinor(paid.amount), paid.currency, locale))}</span>;
  if (subscriptionPrice === null || subscriptionCurrency === null) return null;
  const asked = price(toMinor(subscriptionPrice), subscriptionCurrency, locale);
  return <span className={classes.price}>{directory.perMonth(asked)}</span>;
}
