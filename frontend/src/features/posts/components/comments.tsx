import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { isNotFound } from '../../../api/api-error.js';
import type { Me, Post } from '../../../api/types.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { LoadError } from '../../../components/states.js';
import { useDelayed } from '../../../components/use-delayed.js';
import { useComments } from '../api/get-comments.js';
import { dropPost } from '../api/post-cache.js';
import { usePostMessages } from '../messages.js';
import { CommentBox } from './comment-box.js';
import { CommentItem } from './comment-item.js';
import classes from './comments.module.css';
import type { MoreItems } from './post-menu.js';

interface CommentsProps {
  post: Post;
  viewer: Me | undefined;
  moreItems?: MoreItems;
}

/** The conversation under a post: its comments, oldest first, and a box to join it. */
export function Comments({ post, viewer, moreItems }: CommentsProps) {
  const messages = usePostMessages();
  const texts = messages.comments;
  const list = useComments(post.id);
  const slow = useDelayed();
  const queryClient = useQueryClient();

  // The post is gone: its card is removed.
  const gone = isNotFound(list.error);
  const notFound = messages.post.notFoundToast;
  useEffect(() => {
    if (!gone) return;
    toast({ type: 'warning', message: notFound });
    dropPost(queryClient, post.id);
  }, [gone, notFound, queryClient, post.id]);

  return (
    <section className={classes.comments} aria-label={texts.title} tabIndex={-1}>
      {list.isPending && (
        <p role="status" className={classes.quiet}>
          {slow && messages.app.loading}
        </p>
      )}
      {list.isError && !gone && !list.comments && (
        <LoadError error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.comments?.length === 0 && <p className={classes.quiet}>{texts.empty}</p>}
      {list.comments && list.comments.length > 0 && (
        <ul className={classes.list}>
          {list.comments.map((comment) => (
            <CommentItem
              key={comment.id}
              comment={comment}
              postAuthorId={post.author.id}
              viewer={viewer}
              moreItems={moreItems?.comment}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button
          variant="subtle"
          color="gray"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
      {viewer && post.permissions.comment && list.comments && <CommentBox postId={post.id} viewer={viewer} />}
      {!viewer && (
        <p>
          <Link to="/login" className={classes.login}>
            {texts.login}
          </Link>
        </p>
      )}
    </section>
  );
}
