import { IconLock, IconMessageCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { errorText, isNotFound } from '../../../api/api-error.js';
import type { Post } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { notify, toast } from '../../../components/feedback/feedback-store.js';
import { lazyComponent } from '../../../components/lazy-component.js';
import { LazyDialog } from '../../../components/lazy-dialog.js';
import { PersonLink } from '../../../components/person-link.js';
import { profilePath } from '../../../components/profile-path.js';
import { TimeAgo } from '../../../components/time-ago.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { collapseBlankLines, WrittenText } from '../../../components/written-text/written-text.js';
import { useCurrentUser } from '../../../session/session.js';
import { useLikePost } from '../api/like-post.js';
import { usePostMessages } from '../messages.js';
import actions from './actions.module.css';
import { Comments } from './comments.js';
import { LikeButton } from './like-button.js';
import classes from './post-card.module.css';
import { PostMenu } from './post-menu.js';
import type { MoreItems } from './post-menu.js';

const EditPostDialog = lazyComponent(() =>
  import('./edit-post-dialog.js').then((module) => module.EditPostDialog),
);

interface PostCardProps {
  post: Post;
  /** On the post's own page: comments open, text unfolded. */
  detailed?: boolean;
  moreItems?: MoreItems;
  onDelete?: () => void;
}

export function PostCard({ post, detailed = false, moreItems, onDelete }: PostCardProps) {
  const messages = usePostMessages();
  const texts = messages.post;
  const viewer = useCurrentUser();
  const like = useLikePost(post.id, (error) =>
    isNotFound(error)
      ? toast({ type: 'warning', message: texts.notFoundToast })
      : toast({ type: 'error', message: errorText(error, texts.likeFailed, messages) }),
  );
  const [commentsOpen, setCommentsOpen] = useState(detailed);
  const [editing, setEditing] = useState<{ returnFocusTo: () => HTMLElement | null }>();
  const article = useFocusHandover<HTMLElement>('main');
  const { author } = post;

  const toggleLike = () => {
    if (!viewer)
      return notify({ type: 'info', title: messages.app.loginRequired, message: texts.loginToLike });
    like.mutate(!post.likedByViewer);
  };

  return (
    <article
      ref={article}
      className={`card ${classes.post}`}
      aria-label={texts.by(author.name)}
      data-post={post.id}
      tabIndex={-1}
    >
      <header className={classes.header}>
        <Link to={profilePath(author)} tabIndex={-1} aria-hidden className={classes.face}>
          <Avatar user={author} />
        </Link>
        <div className={classes.byline}>
          <div className={classes.names}>
            <PersonLink user={author} name={author.name} />
            {author.isCoach && <Badge tone="accent">{messages.account.coach}</Badge>}
          </div>
          <div className={classes.meta}>
            <Link to={`/post/${post.id}`} className={classes.time}>
              <TimeAgo time={post.createdAt} />
            </Link>
            {post.editedAt && <span>· {texts.edited}</span>}
            {post.visibility === 'subscribers' && (
              <span className={classes.subscribers}>
                · <IconLock size={14} aria-hidden /> {texts.subscribersOnly}
              </span>
            )}
          </div>
        </div>
        <div className={classes.menu}>
          <PostMenu
            post={post}
            detailed={detailed}
            moreItems={moreItems?.post}
            onEdit={(returnFocusTo) => setEditing({ returnFocusTo })}
            onDelete={onDelete}
          />
        </div>
      </header>

      {post.locked ? (
        <LockedText post={post} />
      ) : (
        <WrittenText className={classes.text} text={post.content} foldable={!detailed} />
      )}

      {(!post.locked || post.likedByViewer) && (
        <div className={actions.row}>
          <LikeButton liked={post.likedByViewer} count={post.likeCount} onToggle={toggleLike} />
          {!post.locked && (
            <button
              type="button"
              className={actions.action}
              aria-expanded={commentsOpen}
              onClick={() => setCommentsOpen(!commentsOpen)}
            >
              <IconMessageCircle size={20} aria-hidden />
              <span>{texts.comment}</span>
              {post.commentCount > 0 && (
                <span className="tabular">
                  <span aria-hidden>{post.commentCount}</span>
                  <span className="visually-hidden">{texts.comments(post.commentCount)}</span>
                </span>
              )}
            </button>
          )}
        </div>
      )}
      {commentsOpen && !post.locked && <Comments post={post} viewer={viewer} moreItems={moreItems} />}
      {editing && (
        <LazyDialog onClose={() => setEditing(undefined)}>
          <EditPostDialog
            post={post}
            returnFocusTo={editing.returnFocusTo}
            onClose={() => setEditing(undefined)}
          />
        </LazyDialog>
      )}
    </article>
  );
}

/** The paywall: only the server's preview of 100 characters (POST-6). */
function LockedText({ post }: { post: Post }) {
  const texts = usePostMessages().post;
  return (
    <div className={classes.locked}>
      {post.content && (
        <p dir="auto" className={classes.text}>
          {collapseBlankLines(post.content)}
          {post.truncated && '…'}
        </p>
      )}
      <p className={classes.lockedNote}>
        <IconLock size={18} aria-hidden /> {texts.locked}
      </p>
    </div>
  );
}
