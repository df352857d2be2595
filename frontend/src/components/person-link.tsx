import { Link } from 'react-router-dom';
import type { UserRef } from '../api/types.js';
import classes from './person-link.module.css';
import { profilePath } from './profile-path.js';

interface PersonLinkProps {
  user: Pick<UserRef, 'id' | 'username' | 'isCoach'>;
  name: string;
  /** A handle stands beside it, in the same row. */
  beside?: boolean;
}

/** A person's name in one line; leads to the profile. */
export function PersonLink({ user, name, beside = false }: PersonLinkProps) {
  return (
    <Link to={profilePath(user)} className={`${classes.link} ${beside ? classes.beside : ''}`} title={name}>
      <span className="one-line" dir="auto">
        {name}
      </span>
    </Link>
  );
}
