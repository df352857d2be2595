import { Link } from 'react-router-dom';
import type { Profile } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { profilePath } from '../../../components/profile-path.js';
import { RatingLine } from '../../../components/stars.js';
import { useDirectoryMessages } from '../messages.js';
import classes from './directory.module.css';

/** See UI-31. */
const SPECIALTIES_SHOWN = 3;

export function CoachCard({ coach }: { coach: Profile }) {
  const { account, directory } = useDirectoryMessages();
  const first = coach.specialties.slice(0, SPECIALTIES_SHOWN);
  const rest = coach.specialties.length - first.length;
  return (
    <li className={`card ${classes.coach}`}>
      <div className={classes.head}>
        <Avatar user={coach} size={56} />
        <div className={classes.identity}>
          <h2 className={`two-lines ${classes.name}`} title={coach.name}>
            <Link to={profilePath(coach)} className={classes.link} dir="auto">
              {coach.name}
            </Link>
          </h2>
          {coach.username && <p className={`one-line ${classes.handle}`}>@{coach.username}</p>}
        </div>
      </div>
      <RatingLine rating={coach.rating} />
      {coach.bio && (
        <p className="two-lines" dir="auto">
          {coach.bio}
        </p>
      )}
      {first.length > 0 && (
        <ul className={classes.tags} aria-label={account.specialties}>
          {first.map((specialty) => (
            <li key={specialty}>
              <Badge long>{specialty}</Badge>
            </li>
          ))}
          {rest > 0 && <li className={classes.more}>{directory.more(rest)}</li>}
        </ul>
      )}
    </li>
  );
}
