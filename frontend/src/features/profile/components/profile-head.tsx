import type { ReactNode } from 'react';
import type { Profile } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { monthAndYear } from '../../../components/relative-time.js';
import { useShownTimeZone } from '../../../components/use-shown-now.js';
import { RatingLine } from '../../../components/stars.js';
import { WrittenText } from '../../../components/written-text/written-text.js';
import { useProfileTexts } from '../texts.js';
import { PendingFigure } from './pending-figure.js';
import classes from './profile.module.css';

interface ProfileHeadProps {
  profile: Profile;
  /** A rating that is null is not known yet, and has a grey shape. */
  pending?: boolean;
  /** Fitness Coach on one's own page, Coach elsewhere. */
  coachBadge: string;
  email?: string;
  action?: ReactNode;
}

export function ProfileHead({ profile, pending, coachBadge, email, action }: ProfileHeadProps) {
  const texts = useProfileTexts();
  const timeZone = useShownTimeZone();
  const { rating } = profile;
  return (
    <div className={classes.head}>
      <div className={classes.face}>
        <Avatar user={profile} size={96} />
      </div>
      <div className={classes.identity}>
        <h1 className={classes.name} title={profile.name} dir="auto">
          {profile.name}
        </h1>
        <div className={classes.facts}>
          {profile.username && <span className={classes.handle}>@{profile.username}</span>}
          <Badge>{profile.isCoach ? coachBadge : texts.profile.memberBadge}</Badge>
          {profile.viewer?.followsYou && <Badge>{texts.profile.followsYou}</Badge>}
          <span>{texts.profile.joined(monthAndYear(profile.createdAt, texts.locale, timeZone))}</span>
          {profile.isCoach &&
            (pending && rating.totalReviews === null ? <PendingFigure /> : <RatingLine rating={rating} />)}
        </div>
        {email && <p className={classes.email}>{email}</p>}
      </div>
      {action && <div className={classes.action}>{action}</div>}
      {profile.bio && (
        <div className={classes.bio}>
          <WrittenText text={profile.bio} foldable />
        </div>
      )}
      {profile.isCoach && profile.specialties.length > 0 && (
        <ul className={`${classes.tags} ${classes.wide}`} aria-label={texts.account.specialties}>
          {profile.specialties.map((specialty) => (
            <li key={specialty}>
              <Badge long>{specialty}</Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
