import { Menu } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DotsMenu } from '../../../components/dots-menu.js';
import type { ReturnFocusTo } from '../../../components/dots-menu.js';
import { confirm } from '../../../components/feedback/feedback-store.js';
import { usePostMessages } from '../messages.js';

interface CommentMenuProps {
  mayDelete: boolean;
  onDelete: () => void;
  moreItems: (returnFocusTo: ReturnFocusTo) => ReactNode;
}

/** Delete comment for the comment's author and the post's author; `moreItems` for others. */
export function CommentMenu({ mayDelete, onDelete, moreItems }: CommentMenuProps) {
  const texts = usePostMessages().comments;
  const askAndDelete = async (returnFocusTo: ReturnFocusTo) => {
    if (await confirm({ message: texts.confirmDelete, returnFocusTo })) onDelete();
  };
  return (
    <DotsMenu label={texts.menu}>
      {(returnFocusTo) => (
        <>
          {mayDelete && (
            <Menu.Item
              leftSection={<IconTrash size={18} aria-hidden />}
              onClick={() => void askAndDelete(returnFocusTo)}
            >
              {texts.delete}
            </Menu.Item>
          )}
          {moreItems(returnFocusTo)}
        </>
      )}
    </DotsMenu>
  );
}
