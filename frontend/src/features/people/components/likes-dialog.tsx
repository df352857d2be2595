import type { ReturnFocusTo } from '../../../components/menu/menu-entry.js';
import { useLikes } from '../api/get-likes.js';
import { usePeopleDialogTexts } from '../dialog-texts.js';
import { FollowInList } from './follow-in-list.js';
import { PeopleDialog } from './people-dialog.js';

interface LikesDialogProps {
  postId: string;
  returnFocusTo: ReturnFocusTo;
  onClose: () => void;
}

/** Who likes a post, newest first (POST-16). */
export function LikesDialog({ postId, returnFocusTo, onClose }: LikesDialogProps) {
  const { lists } = usePeopleDialogTexts();
  return (
    <PeopleDialog
      title={lists.likes}
      query={useLikes(postId)}
      empty={lists.noLikes}
      action={(person) => <FollowInList person={person} />}
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    />
  );
}
