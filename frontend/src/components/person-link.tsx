import { Link } from 'react-router-dom';
import type { UserRef } from '../api/types.js';
import classes from './person-link.module.css';
import { profilePath } from './profile-path.js';

interface PersonLinkProps {
  user: Pick<UserRef, 'id' | 'username' | 'isCoach'>;
  name: string;
}

/** A person's name in one line; leads to the profile. */
export function PersonLink({ user, name }: PersonLinkProps) {
  return (
    <Link to={profilePath(user)} className={classes.link} title={name}>
      <span className="one-line" dir="auto">
        {name}
      </span>
    </Link>
  );
}
