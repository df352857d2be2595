import { IconTrash } from '@tabler/icons-react';
import { DotsMenu } from '../../../components/menu/dots-menu.js';
import type { MenuEntries } from '../../../components/menu/menu-entry.js';
import { usePostTexts } from '../texts.js';

interface CommentMenuProps {
  mayDelete: boolean;
  onDelete: () => void;
  moreEntries?: MenuEntries;
}

/** Delete comment for the comment's author and the post's author; `moreEntries` for others. */
export function CommentMenu({ mayDelete, onDelete, moreEntries }: CommentMenuProps) {
  const { comments } = usePostTexts();
  return (
    <DotsMenu
      label={comments.menu}
      entries={(returnFocusTo) => [
        ...(mayDelete ? [{ label: comments.delete, Icon: IconTrash, run: onDelete }] : []),
        ...(moreEntries?.(returnFocusTo) ?? []),
      ]}
    />
  );
}
