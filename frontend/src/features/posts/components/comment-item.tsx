import { errorText } from '../../../server/http/api-error.js';
import type { Me } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { useAskToLogIn, usePendingAction } from '../../../components/login-required.js';
import { PersonNames } from '../../../components/person-names.js';
import { TimeAgo } from '../../../components/time-ago.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { WrittenText } from '../../../components/written-text/written-text.js';
import type { ShownComment } from '../api/comment-cache.js';
import { useDeleteComment } from '../api/delete-comment.js';
import { likeCommentAct, useLikeComment } from '../api/like-comment.js';
import { likeCommentOf } from '../pending-action.js';
import { usePostTexts } from '../texts.js';
import { CommentMenu } from './comment-menu.js';
import classes from './comments.module.css';
import { LikeButton } from './like-button.js';
import type { MoreEntries } from './post-menu.js';

interface CommentItemProps {
  comment: ShownComment;
  postAuthorId: string;
  viewer: Me | undefined;
  moreEntries?: MoreEntries['comment'];
}

export function CommentItem({ comment, postAuthorId, viewer, moreEntries }: CommentItemProps) {
  const texts = usePostTexts();
  const { comments } = texts;
  const fail = (text: string, act?: string) => (error: unknown) =>
    toast({ type: 'error', message: errorText(error, text, texts), act });
  const like = useLikeComment(
    comment.postId,
    comment.id,
    fail(texts.post.likeFailed, likeCommentAct(comment.id)),
  );
  const askToLogIn = useAskToLogIn();
  const remove = useDeleteComment(comment.postId, {
    message: comments.deleted,
    onFailed: fail(comments.deleteFailed),
  });
  const item = useFocusHandover<HTMLLIElement>('section');
  const likeThis = likeCommentOf(comment.postId) + comment.id;
  usePendingAction(likeThis, () => like.mutate(true), item);
  const { author } = comment;
  const mayDelete = viewer !== undefined && (viewer.id === author.id || viewer.id === postAuthorId);

  const further = moreEntries !== undefined && viewer !== undefined && viewer.id !== author.id;

  const toggleLike = () => {
    if (!viewer) return askToLogIn(texts.post.loginToLike, likeThis);
    like.mutate(!comment.likedByViewer);
  };

  return (
    <li
      ref={item}
      tabIndex={-1}
      className={classes.item}
      data-comment={comment.id}
      aria-label={comments.by(author.name)}
      aria-busy={comment.pending}
    >
      <Avatar user={author} size={32} />
      <div className={classes.body}>
        <div className={classes.byline}>
          <PersonNames user={author} name={author.name} />
          <span className={classes.time}>
            <TimeAgo time={comment.createdAt} />
            {comment.importedAt && ` · ${texts.post.imported}`}
          </span>
          {!comment.pending && (
            <div className={classes.actions}>
              <LikeButton liked={comment.likedByViewer} count={comment.likeCount} onToggle={toggleLike} />
              {(mayDelete || further) && (
                <CommentMenu
                  mayDelete={mayDelete}
                  onDelete={() => remove(comment.id)}
                  moreEntries={moreEntries?.(comment)}
                />
              )}
            </div>
          )}
        </div>
        <WrittenText text={comment.content} foldable />
      </div>
    </li>
  );
}
