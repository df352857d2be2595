import type { ReturnFocusTo } from '../../../components/menu/menu-entry.js';
import { useLikes } from '../api/get-likes.js';
import { usePeopleTexts } from '../texts.js';
import { FollowInList } from './follow-in-list.js';
import { PeopleDialog } from './people-dialog.js';

interface LikesDialogProps {
  postId: string;
  returnFocusTo: ReturnFocusTo;
  onClose: () => void;
}

/** Who likes a post, newest first (POST-16). */
export function LikesDialog({ postId, returnFocusTo, onClose }: LikesDialogProps) {
  const { people } = usePeopleTexts();
  return (
    <PeopleDialog
      title={people.likes}
      query={useLikes(postId)}
      empty={people.noLikes}
      action={(person) => <FollowInList person={person} />}
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    />
  );
}
