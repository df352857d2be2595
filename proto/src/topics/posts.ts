import { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { CommentState, LikeState, PostState } from '@pulso/contracts/posts/v1/events';
import { ABOUT_NOBODY, BUSY, stateTopic } from './topic.js';

export const postTopic = stateTopic(
  'pulso.posts.post.v1',
  PostState,
  ({ id }) => [id],
  ({ deleted, authorId }) => (deleted ? [] : [authorId]),
);

/** Comments of erased authors stay (ACCT-36), but nobody is told of them any more. */
export const commentTopic = stateTopic(
  'pulso.posts.comment.v1',
  CommentState,
  ({ id }) => [id],
  ({ deleted, authorId, postAuthorId }) => (deleted ? [] : [authorId, postAuthorId]),
);

export const likeTopic = stateTopic(
  'pulso.posts.like.v1',
  LikeState,
  ({ targetId, userId }) => [targetId, userId],
  ({ active, userId, targetAuthorId }) => (active ? [userId, targetAuthorId] : []),
  BUSY,
);

export const postsErasureTopic = stateTopic(
  'pulso.posts.erasure.v1',
  ErasedUserState,
  ({ userId }) => [userId],
  ABOUT_NOBODY,
);
