import type { UserRef } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { usePeopleTexts } from '../texts.js';
import classes from './people.module.css';

/** Picture, name, @username and badge: the content of an entry in a list of people. */
export function PersonSummary({ user }: { user: UserRef }) {
  const { account } = usePeopleTexts();
  return (
    <>
      <Avatar user={user} />
      <span className={classes.names}>
        <span className={`one-line ${classes.name}`} dir="auto">
          {user.name}
        </span>
        {user.username && <span className={`one-line ${classes.handle}`}>@{user.username}</span>}
      </span>
      {user.isCoach && <Badge>{account.coach}</Badge>}
    </>
  );
}
