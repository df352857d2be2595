import { IconLink, IconMessageCircle, IconPencil, IconShare, IconTrash } from '@tabler/icons-react';
import { useNavigate } from 'react-router-dom';
import { errorText } from '../../../server/http/api-error.js';
import type { Comment, Post } from '../../../api/types.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { DotsMenu } from '../../../components/menu/dots-menu.js';
import type { MenuEntries, MenuEntry, ReturnFocusTo } from '../../../components/menu/menu-entry.js';
import { useDeletePost } from '../api/delete-post.js';
import { postPath } from '../post-path.js';
import { usePostTexts } from '../texts.js';

/** More entries for the menus of posts and comments; dialogs that they open return the focus to `returnFocusTo`. */
export interface MoreEntries {
  post: (post: Post) => MenuEntries;
  comment: (comment: Comment) => MenuEntries;
}

interface PostMenuProps {
  post: Post;
  /** On the post's own page, which already shows the full conversation. */
  detailed?: boolean;
  moreEntries?: MoreEntries['post'];
  onEdit: (returnFocusTo: ReturnFocusTo) => void;
  /** Called when the post is deleted, so that its own page can navigate away. */
  onDelete?: () => void;
}

/**
 * Copy link and View full conversation for everyone, on phones also the system's share sheet; Edit post and Delete post
 * for the author (UI-19).
 */
export function PostMenu({ post, detailed = false, moreEntries, onEdit, onDelete }: PostMenuProps) {
  const texts = usePostTexts();
  const navigate = useNavigate();
  const deletePost = useDeletePost({
    message: texts.post.deleted,
    onUndone: detailed ? () => void navigate(postPath(post.id)) : undefined,
    onFailed: (error) => toast({ type: 'error', message: errorText(error, texts.post.deleteFailed, texts) }),
  });

  const url = () => `${location.origin}${postPath(post.id)}`;
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(url());
      toast({ type: 'success', message: texts.post.copied });
    } catch {
      // No permission, or not a secure origin.
      toast({ type: 'error', message: texts.post.copyFailed });
    }
  };

  const share = async () => {
    try {
      await navigator.share({ url: url() });
    } catch (error) {
      if ((error as DOMException).name === 'AbortError') return; // The user has closed the sheet.
      toast({ type: 'error', message: texts.post.shareFailed });
    }
  };

  const remove = () => {
    onDelete?.();
    deletePost(post.id);
  };

  const entries = (returnFocusTo: ReturnFocusTo): (MenuEntry | false)[] => [
    { label: texts.post.copyLink, Icon: IconLink, run: () => void copyLink() },
    hasShareSheet() && { label: texts.post.share, Icon: IconShare, run: () => void share() },
    !detailed && {
      label: texts.post.viewConversation,
      Icon: IconMessageCircle,
      run: () => void navigate(postPath(post.id)),
    },
    post.permissions.edit && { label: texts.post.edit, Icon: IconPencil, run: () => onEdit(returnFocusTo) },
    post.permissions.delete && { label: texts.post.delete, Icon: IconTrash, run: remove },
    ...(moreEntries?.(post)(returnFocusTo) ?? []),
  ];
  return (
    <DotsMenu
      label={texts.post.menu}
      entries={(returnFocusTo) => entries(returnFocusTo).filter((entry) => entry !== false)}
    />
  );
}

/** Phones and tablets; on other systems the sheet offers little beside copying. */
function hasShareSheet(): boolean {
  return 'share' in navigator && matchMedia('(pointer: coarse)').matches;
}
