import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { UserList } from '../../../api/query-keys.js';
import type { UserRef } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { Dialog } from '../../../components/dialog.js';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { profilePath } from '../../../components/profile-path.js';
import { LoadError } from '../../../components/states.js';
import { useDelayed } from '../../../components/use-delayed.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { useUserList } from '../api/get-user-list.js';
import { usePeopleMessages } from '../messages.js';
import classes from './people.module.css';

interface UserListDialogProps {
  list: UserList;
  userId: string;
  onClose: () => void;
  /** Adds an Unblock button to each entry. */
  onUnblock?: (user: UserRef) => void;
}

/** A list of followers, followed or blocked users, with links to their profiles. */
export function UserListDialog({ list, userId, onClose, onUnblock }: UserListDialogProps) {
  const { account, app, people } = usePeopleMessages();
  const query = useUserList(list, userId);
  const slow = useDelayed();
  const { users } = query;

  return (
    <Dialog title={people.lists[list]} onClose={onClose}>
      {!users && query.isPending && (
        <p role="status" className={classes.quiet}>
          {slow && app.loading}
        </p>
      )}
      {!users && query.isError && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {users?.length === 0 && <p className={classes.quiet}>{people.emptyLists[list]}</p>}
      {users && users.length > 0 && (
        <ul className={classes.list}>
          {users.map((user) => (
            <Entry key={user.id}>
              <Link to={profilePath(user)} className={classes.person} onClick={onClose}>
                <Avatar user={user} />
                <span className={classes.names}>
                  <span className={`one-line ${classes.name}`} dir="auto">
                    {user.name}
                  </span>
                  {user.username && <span className={`one-line ${classes.handle}`}>@{user.username}</span>}
                </span>
                {user.isCoach && <Badge tone="accent">{account.coach}</Badge>}
              </Link>
              {onUnblock && (
                <Button
                  variant="default"
                  aria-label={people.unblockUser(user.name)}
                  onClick={() => onUnblock(user)}
                >
                  {people.unblock}
                </Button>
              )}
            </Entry>
          ))}
        </ul>
      )}
      {users && (
        <InfiniteSentinel
          hasMore={query.hasNextPage}
          busy={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          onMore={() => void query.fetchNextPage()}
        />
      )}
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
