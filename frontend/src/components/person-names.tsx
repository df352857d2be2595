import type { UserRef } from '../api/types.js';
import { PersonLink } from './person-link.js';
import classes from './person-names.module.css';

interface HandleProps {
  user: Pick<UserRef, 'username'>;
}

/** "@username", for a row with a width of its own; nothing for somebody who is gone. */
export function Handle({ user: { username } }: HandleProps) {
  if (username === null) return null;
  const handle = `@${username}`;
  return (
    // Of its own direction, as names may be from right to left.
    <span className={classes.handle} dir="ltr" title={handle}>
      {handle}
    </span>
  );
}

interface PersonNamesProps {
  user: Pick<UserRef, 'id' | 'username' | 'isCoach'>;
  name: string;
}

/**
 * Name and handle, the first two of a flex row with a width of its own. Where it is short the name is cut first, whatever it
 * contains: anybody may be called as somebody else is, only the handle tells who it is (UI-9).
 */
export function PersonNames({ user, name }: PersonNamesProps) {
  return (
    <>
      <PersonLink user={user} name={name} beside /> <Handle user={user} />
    </>
  );
}
