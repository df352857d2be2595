import {
  BlockState,
  FollowState,
  HiddenCommentState,
  HiddenPostState,
  ReviewState,
  UserFiguresState,
  UserSuspensionState,
} from '@pulso/contracts/social/v1/events';
import { stateTopic } from './topic.js';

export const followTopic = stateTopic('pulso.social.follow.v1', FollowState, ({ followerId, targetId }) => [
  followerId,
  targetId,
]);

export const blockTopic = stateTopic('pulso.social.block.v1', BlockState, ({ blockerId, blockedId }) => [
  blockerId,
  blockedId,
]);

export const reviewTopic = stateTopic('pulso.social.review.v1', ReviewState, ({ coachId, reviewerId }) => [
  coachId,
  reviewerId,
]);

export const hiddenPostTopic = stateTopic('pulso.social.hidden-post.v1', HiddenPostState, ({ postId }) => [
  postId,
]);

export const hiddenCommentTopic = stateTopic(
  'pulso.social.hidden-comment.v1',
  HiddenCommentState,
  ({ commentId }) => [commentId],
);

export const userSuspensionTopic = stateTopic(
  'pulso.social.user-suspension.v1',
  UserSuspensionState,
  ({ userId }) => [userId],
);

export const userFiguresTopic = stateTopic('pulso.social.user-figures.v1', UserFiguresState, ({ userId }) => [
  userId,
]);
