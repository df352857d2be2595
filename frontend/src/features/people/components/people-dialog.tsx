import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { UserRef } from '../../../api/types.js';
import { Dialog } from '../../../components/dialog.js';
import type { ReturnFocusTo } from '../../../components/menu/menu-entry.js';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import type { LoadsOn } from '../../../components/infinite-sentinel.js';
import { profilePath } from '../../../components/profile-path.js';
import { LoadError } from '../../../components/states.js';
import { useDelayed } from '../../../components/use-delayed.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { usePeopleTexts } from '../texts.js';
import classes from './people.module.css';
import { PersonSummary } from './person-summary.js';

/** The result of useUserList and useLikes. */
interface PeopleQuery<User> extends LoadsOn {
  users: User[] | undefined;
  error: unknown;
  isPending: boolean;
  isError: boolean;
  refetch: () => unknown;
}

interface PeopleDialogProps<User> {
  title: string;
  query: PeopleQuery<User>;
  /** What is said of a list without anyone. */
  empty: string;
  /** The button beside a person. */
  action?: (user: User) => ReactNode;
  returnFocusTo?: ReturnFocusTo;
  onClose: () => void;
}

/** A list of people with links to their profiles, in a dialog. */
export function PeopleDialog<User extends UserRef>({
  title,
  query,
  empty,
  action,
  returnFocusTo,
  onClose,
}: PeopleDialogProps<User>) {
  const { app } = usePeopleTexts();
  const slow = useDelayed();
  const { users } = query;

  return (
    <Dialog title={title} returnFocusTo={returnFocusTo} onClose={onClose}>
      {!users && query.isPending && (
        <p role="status" className={classes.quiet}>
          {slow && app.loading}
        </p>
      )}
      {!users && query.isError && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {users?.length === 0 && !query.hasNextPage && <p className={classes.quiet}>{empty}</p>}
      {users && users.length > 0 && (
        <ul className={classes.list}>
          {users.map((user) => (
            <Entry key={user.id}>
              <Link to={profilePath(user)} className={classes.person} onClick={onClose}>
                <PersonSummary user={user} />
              </Link>
              {action?.(user)}
            </Entry>
          ))}
        </ul>
      )}
      {users && <InfiniteSentinel list={query} />}
    </Dialog>
  );
}

function Entry({ children }: { children: ReactNode }) {
  const entry = useFocusHandover<HTMLLIElement>('dialog');
  return (
    <li ref={entry} className={classes.entry} tabIndex={-1}>
      {children}
    </li>
  );
}
