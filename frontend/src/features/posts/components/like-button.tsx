import { IconHeart, IconHeartFilled } from '@tabler/icons-react';
import type { ReturnFocusTo } from '../../../components/menu/menu-entry.js';
import { usePostTexts } from '../texts.js';
import classes from '../actions.module.css';

interface LikeButtonProps {
  liked: boolean;
  count: number;
  onToggle: () => void;
  /** Makes the count a button of its own that opens the list of those who like it. */
  onShowLikes?: (returnFocusTo: ReturnFocusTo) => void;
}

/** Like/Liked (UI-21): the text alone tells the state, to screen readers too. A new like animates the heart once. */
export function LikeButton({ liked, count, onToggle, onShowLikes }: LikeButtonProps) {
  const { post } = usePostTexts();
  const Icon = liked ? IconHeartFilled : IconHeart;
  const counted = count > 0 && (
    <span className="tabular">
      <span aria-hidden>{count}</span>
      <span className="visually-hidden">{post.likes(count)}</span>
    </span>
  );
  return (
    <>
      <button
        type="button"
        className={classes.action}
        data-liked={liked || undefined}
        data-action="like"
        onClick={onToggle}
      >
        <Icon size={20} className={liked ? classes.heart : undefined} aria-hidden />
        <span>{liked ? post.liked : post.like}</span>
        {!onShowLikes && counted}
      </button>
      {onShowLikes && counted && (
        <button
          type="button"
          className={`${classes.action} ${classes.count}`}
          data-liked={liked || undefined}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => onShowLikes(() => currentTarget)}
        >
          {counted}
        </button>
      )}
    </>
  );
}
