import { CommentState, LikeState, PostState } from '@pulso/contracts/posts/v1/events';
import { BUSY, stateTopic } from './topic.js';

export const postTopic = stateTopic('pulso.posts.post.v1', PostState, ({ id }) => [id]);

export const commentTopic = stateTopic('pulso.posts.comment.v1', CommentState, ({ id }) => [id]);

export const likeTopic = stateTopic(
  'pulso.posts.like.v1',
  LikeState,
  ({ targetId, userId }) => [targetId, userId],
  BUSY,
);
