import { Menu } from '@mantine/core';
import { IconLink, IconMessageCircle, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorText } from '../../../api/api-error.js';
import type { Comment, Post } from '../../../api/types.js';
import { DotsMenu } from '../../../components/dots-menu.js';
import type { ReturnFocusTo } from '../../../components/dots-menu.js';
import { confirm, notify, toast } from '../../../components/feedback/feedback-store.js';
import { useDeletePost } from '../api/delete-post.js';
import { usePostMessages } from '../messages.js';

type ItemsFor<Subject> = (subject: Subject, returnFocusTo: ReturnFocusTo) => ReactNode;

/** More entries for the menus of posts and comments; dialogs that they open return the focus to `returnFocusTo`. */
export interface MoreItems {
  post: ItemsFor<Post>;
  comment: ItemsFor<Comment>;
}

interface PostMenuProps {
  post: Post;
  /** On the post's own page, which already shows the full conversation. */
  detailed?: boolean;
  moreItems?: ItemsFor<Post>;
  onEdit: (returnFocusTo: ReturnFocusTo) => void;
  /** Called when the post is deleted, so that its own page can navigate away. */
  onDelete?: () => void;
}

/** Copy link and View full conversation for everyone; Edit post and Delete post for the author. */
export function PostMenu({ post, detailed = false, moreItems, onEdit, onDelete }: PostMenuProps) {
  const messages = usePostMessages();
  const navigate = useNavigate();
  const texts = messages.post;
  const deletePost = useDeletePost({
    onDeleted: () => toast({ type: 'success', message: texts.deleted }),
    onFailed: (error) => notify({ type: 'error', message: errorText(error, texts.deleteFailed, messages) }),
  });

  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(`${location.origin}/post/${post.id}`);
      toast({ type: 'success', message: texts.copied });
    } catch {
      // No permission, or not a secure origin.
      toast({ type: 'error', message: texts.copyFailed });
    }
  };

  const askAndDelete = async (returnFocusTo: ReturnFocusTo) => {
    const confirmed = await confirm({ message: texts.confirmDelete, returnFocusTo });
    if (!confirmed) return;
    onDelete?.();
    deletePost.mutate(post.id);
  };

  return (
    <DotsMenu label={texts.menu}>
      {(returnFocusTo) => (
        <>
          <Menu.Item leftSection={<IconLink size={18} aria-hidden />} onClick={() => void copyLink()}>
            {texts.copyLink}
          </Menu.Item>
          {!detailed && (
            <Menu.Item
              leftSection={<IconMessageCircle size={18} aria-hidden />}
              onClick={() => void navigate(`/post/${post.id}`)}
            >
              {texts.viewConversation}
            </Menu.Item>
          )}
          {post.permissions.edit && (
            <Menu.Item
              leftSection={<IconPencil size={18} aria-hidden />}
              onClick={() => onEdit(returnFocusTo)}
            >
              {texts.edit}
            </Menu.Item>
          )}
          {post.permissions.delete && (
            <Menu.Item
              leftSection={<IconTrash size={18} aria-hidden />}
              onClick={() => void askAndDelete(returnFocusTo)}
            >
              {texts.delete}
            </Menu.Item>
          )}
          {moreItems?.(post, returnFocusTo)}
        </>
      )}
    </DotsMenu>
  );
}
