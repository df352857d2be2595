import { Button } from '@mantine/core';
import type { UserRef } from '../../../api/types.js';
import { useUserList } from '../api/get-user-list.js';
import type { UserList } from '../api/people-lists.js';
import { usePeopleDialogTexts } from '../dialog-texts.js';
import { usePeopleTexts } from '../texts.js';
import { FollowInList } from './follow-in-list.js';
import { PeopleDialog } from './people-dialog.js';

interface UserListDialogProps {
  list: UserList;
  userId: string;
  onClose: () => void;
  /** Adds an Unblock button to each entry. */
  onUnblock?: (user: UserRef) => void;
}

/** A list of followers, followed or blocked users. */
export function UserListDialog({ list, userId, onClose, onUnblock }: UserListDialogProps) {
  const { people } = usePeopleTexts();
  const { lists } = usePeopleDialogTexts();
  return (
    <PeopleDialog
      title={lists.titles[list]}
      query={useUserList(list, userId)}
      empty={lists.empty[list]}
      action={(user) =>
        onUnblock ? (
          <Button variant="default" aria-label={lists.unblock(user.name)} onClick={() => onUnblock(user)}>
            {people.unblock}
          </Button>
        ) : (
          <FollowInList person={user} />
        )
      }
      onClose={onClose}
    />
  );
}
