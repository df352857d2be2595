import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { confirm } from '../../../components/feedback/feedback-store.js';
import { usePostMessages } from '../messages.js';

interface CommentMenuProps {
  mayDelete: boolean;
  onDelete: () => void;
  moreItems: (returnFocusTo: () => HTMLElement | null) => ReactNode;
}

/** Delete comment for the comment's author and the post's author; `moreItems` for others. */
export function CommentMenu({ mayDelete, onDelete, moreItems }: CommentMenuProps) {
  const texts = usePostMessages().comments;
  const [target, setTarget] = useState<HTMLButtonElement | null>(null);
  const askAndDelete = async () => {
    if (await confirm({ message: texts.confirmDelete, returnFocusTo: () => target })) onDelete();
  };
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <ActionIcon ref={setTarget} variant="subtle" color="gray" size={44} aria-label={texts.menu}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayDelete && (
          <Menu.Item leftSection={<IconTrash size={18} aria-hidden />} onClick={() => void askAndDelete()}>
            {texts.delete}
          </Menu.Item>
        )}
        {moreItems(() => target)}
      </Menu.Dropdown>
    </Menu>
  );
}
