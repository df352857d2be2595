import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Ref } from 'react';
import { isNotFound } from '../../../server/http/api-error.js';
import { nextCursorOf, useLoadOn } from '../../../server/queries/paged-list.js';
import type { Me, Post } from '../../../api/types.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { NextPart, ToListStart, useListStart } from '../../../components/list-start.js';
import { LoginLink } from '../../../components/login-required.js';
import { MoreButton } from '../../../components/more-button.js';
import { LoadError } from '../../../components/states.js';
import { useDelayed } from '../../../components/use-delayed.js';
import type { ShownComment } from '../api/comment-cache.js';
import { useComments } from '../api/get-comments.js';
import { dropPost } from '../api/post-cache.js';
import { usePostTexts } from '../texts.js';
import { useTargetComment } from '../use-target-comment.js';
import { CommentBox } from './comment-box.js';
import { CommentItem } from './comment-item.js';
import classes from './comments.module.css';
import type { MoreEntries } from './post-menu.js';

interface CommentsProps {
  post: Post;
  viewer: Me | undefined;
  /** The post's own page, whose address tells where the comments begin. */
  ownPage?: boolean;
  moreEntries?: MoreEntries;
  /** The box to write in. */
  field?: Ref<HTMLTextAreaElement>;
}

/** The conversation under a post: its comments, oldest first, and a box to join it. */
export function Comments({ post, viewer, ownPage = false, moreEntries, field }: CommentsProps) {
  const texts = usePostTexts();
  const given = useListStart();
  const start = ownPage ? given : undefined;
  const list = useComments(post.id, start);
  useLoadOn(list);
  useTargetComment(list);
  const { comments, fresh } = list;
  const slow = useDelayed();
  const queryClient = useQueryClient();

  // Those that are not loaded yet and stand above what was written here.
  const between = fresh.length > 0 && comments ? post.commentCount - comments.length - fresh.length : 0;

  // The post is gone: its card is removed.
  const gone = isNotFound(list.error);
  const notFound = texts.post.notFoundToast;
  useEffect(() => {
    if (!gone) return;
    toast({ type: 'warning', message: notFound });
    dropPost(queryClient, post.id);
  }, [gone, notFound, queryClient, post.id]);

  return (
    <section className={classes.comments} aria-label={texts.comments.title} tabIndex={-1}>
      {list.isPending && (
        <p role="status" className={classes.quiet}>
          {slow && texts.app.loading}
        </p>
      )}
      {list.isError && !gone && !comments && (
        <LoadError error={list.error} onRetry={() => void list.refetch()} />
      )}
      {ownPage && <ToListStart />}
      {comments?.length === 0 && fresh.length === 0 && !list.hasNextPage && start === undefined && (
        <p className={classes.quiet}>{texts.comments.empty}</p>
      )}
      <CommentList comments={comments ?? []} post={post} viewer={viewer} moreEntries={moreEntries} />
      {list.hasNextPage && (
        <MoreButton
          label={between > 0 ? texts.comments.between(between) : texts.comments.more}
          busy={list.isFetchingNextPage}
          onMore={() => list.fetchNextPage()}
        />
      )}
      {ownPage && <NextPart label={texts.comments.more} cursor={nextCursorOf(list.data)} />}
      <CommentList comments={fresh} post={post} viewer={viewer} moreEntries={moreEntries} />
      {viewer && post.permissions.comment && <CommentBox postId={post.id} viewer={viewer} field={field} />}
      {!viewer && (
        <p>
          <LoginLink className={classes.login}>{texts.comments.login}</LoginLink>
        </p>
      )}
    </section>
  );
}

interface CommentListProps extends Omit<CommentsProps, 'field' | 'ownPage'> {
  comments: ShownComment[];
}

function CommentList({ comments, post, viewer, moreEntries }: CommentListProps) {
  if (comments.length === 0) return null;
  return (
    <ul className={classes.list}>
      {comments.map((comment) => (
        <CommentItem
          key={comment.id}
          comment={comment}
          postAuthorId={post.author.id}
          viewer={viewer}
          moreEntries={moreEntries?.comment}
        />
      ))}
    </ul>
  );
}
