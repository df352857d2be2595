import { IconHeart, IconHeartFilled } from '@tabler/icons-react';
import { usePostMessages } from '../messages.js';
import classes from './actions.module.css';

interface LikeButtonProps {
  liked: boolean;
  count: number;
  onToggle: () => void;
}

/** Like/Liked; a new like animates the heart once. */
export function LikeButton({ liked, count, onToggle }: LikeButtonProps) {
  const { post } = usePostMessages();
  const Icon = liked ? IconHeartFilled : IconHeart;
  return (
    <button
      type="button"
      className={classes.action}
      aria-pressed={liked}
      data-action="like"
      onClick={onToggle}
    >
      <Icon size={20} className={liked ? classes.heart : undefined} aria-hidden />
      <span>{liked ? post.liked : post.like}</span>
      {count > 0 && (
        <span className="tabular">
          <span aria-hidden>{count}</span>
          <span className="visually-hidden">{post.likes(count)}</span>
        </span>
      )}
    </button>
  );
}
