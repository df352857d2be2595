import { IconLock, IconMessageCircle, IconPhoto } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router-dom';
import { errorText, isNotFound } from '../../../server/http/api-error.js';
import type { Post } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { lazyComponent } from '../../../components/lazy-component.js';
import { LazyDialog } from '../../../components/lazy-dialog.js';
import { useAskToLogIn, useHasPendingAction, usePendingAction } from '../../../components/login-required.js';
import type { ReturnFocusTo } from '../../../components/menu/menu-entry.js';
import { PersonNames } from '../../../components/person-names.js';
import { profilePath } from '../../../components/profile-path.js';
import { TimeAgo } from '../../../components/time-ago.js';
import { focusAtEnd } from '../../../components/focus-at-end.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { collapseBlankLines, WrittenText } from '../../../components/written-text/written-text.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { isBlank } from '../../../validation/text.js';
import { useShownCount } from '../api/delete-comment.js';
import { likePostAct, useLikePost } from '../api/like-post.js';
import { useCommentDraft, useKeptEdit } from '../drafts.js';
import { likeCommentOf } from '../pending-action.js';
import { Pictures } from '../pictures/pictures.js';
import { postPath } from '../post-path.js';
import { usePostTexts } from '../texts.js';
import actions from '../actions.module.css';
import { Comments } from './comments.js';
import { LikeButton } from './like-button.js';
import classes from './post-card.module.css';
import { PostMenu } from './post-menu.js';
import type { MoreEntries } from './post-menu.js';
import { useCardLink } from './use-card-link.js';

const EditPostDialog = lazyComponent(() =>
  import('./edit-post-dialog.js').then((module) => module.EditPostDialog),
);

/** Opens the list of those who like the post. */
export type ShowLikes = (post: Post, returnFocusTo: ReturnFocusTo) => void;

/** What stands under the text of a locked post; nothing where nobody can subscribe to its author. */
export type PaywallOf = (post: Post) => ReactNode;

interface PostCardProps {
  post: Post;
  /** On the post's own page: comments open, text unfolded. */
  detailed?: boolean;
  /** In a list: which one it is, from 1, and of how many; -1 while there may be more. */
  inList?: { position: number; of: number };
  /** It joins a list that is there already, which is animated. */
  arrives?: boolean;
  moreEntries?: MoreEntries;
  onShowLikes?: ShowLikes;
  paywall?: PaywallOf;
  onDelete?: () => void;
}

export function PostCard({
  post: given,
  detailed = false,
  inList,
  arrives = false,
  moreEntries,
  onShowLikes,
  paywall,
  onDelete,
}: PostCardProps) {
  const post = useShownCount(given);
  const texts = usePostTexts();
  const viewer = useCurrentUser();
  const like = useLikePost(post.id, (error) =>
    isNotFound(error)
      ? toast({ type: 'warning', message: texts.post.notFoundToast })
      : toast({
          type: 'error',
          message: errorText(error, texts.post.likeFailed, texts),
          act: likePostAct(post.id),
        }),
  );
  const askToLogIn = useAskToLogIn();
  const likeThis = likePostAct(post.id);
  const commentLikePending = useHasPendingAction(likeCommentOf(post.id));
  const [commentsOpen, setCommentsOpen] = useState(detailed || commentLikePending);
  const [editing, setEditing] = useState<{ returnFocusTo: () => HTMLElement | null }>();
  const article = useFocusHandover<HTMLElement>('main');
  usePendingAction(likeThis, () => like.mutate(true), article);
  const commentBegun = !isBlank(useCommentDraft(viewer?.id, post.id)) && !commentsOpen;
  const editBegun = useKeptEdit(viewer?.id, post.id) !== undefined && !editing;
  const cardLink = useCardLink(postPath(post.id), !detailed);
  const [arrived] = useState(arrives);
  const { author } = post;
  const id = useId();

  const toggleLike = () => {
    if (!viewer) return askToLogIn(texts.post.loginToLike, likeThis);
    like.mutate(!post.likedByViewer);
  };

  // At once, while the press is handled: phones open their keyboard for such a focus only, and what is typed next must not
  // be taken for shortcuts.
  const field = useRef<HTMLTextAreaElement>(null);
  const toggleComments = () => {
    flushSync(() => setCommentsOpen(!commentsOpen));
    focusAtEnd(field.current);
  };

  return (
    <article
      {...cardLink}
      ref={article}
      className={`card ${classes.post} ${arrived ? classes.arrives : ''}`}
      aria-labelledby={`${id}-by ${id}-time`}
      aria-describedby={post.content ? `${id}-text` : undefined}
      aria-posinset={inList?.position}
      aria-setsize={inList?.of}
      data-post={post.id}
      tabIndex={-1}
    >
      <span id={`${id}-by`} hidden>
        {texts.post.by(author.name)}
      </span>
      <header className={classes.header}>
        <Link to={profilePath(author)} tabIndex={-1} aria-hidden className={classes.face}>
          <Avatar user={author} />
        </Link>
        <div className={classes.byline}>
          <PersonNames user={author} name={author.name} />
          <div className={classes.meta}>
            {author.isCoach && <span className={classes.coach}>{texts.account.coach}</span>}
            <span>
              <Link id={`${id}-time`} to={postPath(post.id)} className={classes.time}>
                <TimeAgo time={post.createdAt} />
              </Link>
            </span>
            {post.editedAt && <span>{texts.post.edited}</span>}
            {post.importedAt && <span>{texts.post.imported}</span>}
            {editBegun && <span className={classes.begun}>{texts.post.unsavedEdit}</span>}
            {post.visibility === 'subscribers' && (
              <span className={classes.subscribers}>
                <IconLock size={14} aria-hidden /> {texts.post.subscribersOnly}
              </span>
            )}
          </div>
        </div>
        <div className={classes.menu}>
          <PostMenu
            post={post}
            detailed={detailed}
            moreEntries={moreEntries?.post}
            onEdit={(returnFocusTo) => setEditing({ returnFocusTo })}
            onDelete={onDelete}
          />
        </div>
      </header>

      <div className={classes.body}>
        {post.locked ? (
          <LockedText post={post} id={`${id}-text`} paywall={paywall?.(post)} />
        ) : (
          <>
            {post.content && (
              <WrittenText
                id={`${id}-text`}
                className={classes.text}
                text={post.content}
                foldable={!detailed}
              />
            )}
            <Pictures post={post} first={detailed || inList?.position === 1} />
          </>
        )}
      </div>

      {(!post.locked || post.likedByViewer) && (
        <div className={`${actions.row} ${classes.actions}`}>
          <LikeButton
            liked={post.likedByViewer}
            count={post.likeCount}
            onToggle={toggleLike}
            onShowLikes={
              onShowLikes && !post.locked ? (returnFocusTo) => onShowLikes(post, returnFocusTo) : undefined
            }
          />
          {!post.locked && (
            <button
              type="button"
              className={actions.action}
              aria-expanded={commentsOpen}
              onClick={toggleComments}
            >
              <IconMessageCircle size={20} aria-hidden />
              <span>{texts.post.comment}</span>
              {post.commentCount > 0 && (
                <span className="tabular">
                  <span aria-hidden>{post.commentCount}</span>
                  <span className="visually-hidden">{texts.post.comments(post.commentCount)}</span>
                </span>
              )}
              {commentBegun && <span className={actions.draft}>{texts.publisher.draft}</span>}
            </button>
          )}
        </div>
      )}
      {commentsOpen && !post.locked && (
        <Comments post={post} viewer={viewer} ownPage={detailed} moreEntries={moreEntries} field={field} />
      )}
      {editing && (
        <LazyDialog onClose={() => setEditing(undefined)}>
          <EditPostDialog
            post={post}
            returnFocusTo={editing.returnFocusTo}
            onClose={() => setEditing(undefined)}
            onReopen={() => setEditing(editing)}
          />
        </LazyDialog>
      )}
    </article>
  );
}

interface LockedTextProps {
  post: Post;
  id: string;
  paywall: ReactNode;
}

/** Only the server's preview of 100 characters and how many photos or that a video there is (POST-6), and the way to read on (SUBS-25). */
function LockedText({ post, id, paywall }: LockedTextProps) {
  const texts = usePostTexts();
  return (
    <div>
      {post.content && (
        <p id={id} dir="auto" className={classes.text}>
          {collapseBlankLines(post.content)}
          {post.truncated && '…'}
        </p>
      )}
      {(post.imageCount > 0 || post.hasVideo) && (
        <p className={classes.count}>
          <IconPhoto size={18} aria-hidden />{' '}
          {post.hasVideo ? texts.pictures.video : texts.pictures.count(post.imageCount)}
        </p>
      )}
      <p className={`${classes.lockedNote} paywall`}>
        <IconLock size={18} aria-hidden />
        <span>
          {texts.post.locked} {!paywall && texts.post.noSubscribing}
        </span>
      </p>
      {paywall}
    </div>
  );
}
