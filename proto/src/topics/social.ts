import { ErasedUserState } from '@pulso/contracts/common/v1/events';
import {
  BlockState,
  FollowState,
  HiddenCommentState,
  HiddenPostState,
  ReviewState,
  UserFiguresState,
  UserSuspensionState,
} from '@pulso/contracts/social/v1/events';
import { ABOUT_NOBODY, stateTopic } from './topic.js';

export const followTopic = stateTopic(
  'pulso.social.follow.v1',
  FollowState,
  ({ followerId, targetId }) => [followerId, targetId],
  ({ active, followerId, targetId }) => (active ? [followerId, targetId] : []),
);

export const blockTopic = stateTopic(
  'pulso.social.block.v1',
  BlockState,
  ({ blockerId, blockedId }) => [blockerId, blockedId],
  ({ active, blockerId, blockedId }) => (active ? [blockerId, blockedId] : []),
);

export const reviewTopic = stateTopic(
  'pulso.social.review.v1',
  ReviewState,
  ({ coachId, reviewerId }) => [coachId, reviewerId],
  ({ deleted, coachId, reviewerId }) => (deleted ? [] : [coachId, reviewerId]),
);

export const hiddenPostTopic = stateTopic(
  'pulso.social.hidden-post.v1',
  HiddenPostState,
  ({ postId }) => [postId],
  ABOUT_NOBODY,
);

export const hiddenCommentTopic = stateTopic(
  'pulso.social.hidden-comment.v1',
  HiddenCommentState,
  ({ commentId }) => [commentId],
  ABOUT_NOBODY,
);

/** Decisions stay, also about users who are erased: an erased account does not become active by one. */
export const userSuspensionTopic = stateTopic(
  'pulso.social.user-suspension.v1',
  UserSuspensionState,
  ({ userId }) => [userId],
  ABOUT_NOBODY,
);

export const userFiguresTopic = stateTopic(
  'pulso.social.user-figures.v1',
  UserFiguresState,
  ({ userId }) => [userId],
  ABOUT_NOBODY,
);

export const socialErasureTopic = stateTopic(
  'pulso.social.erasure.v1',
  ErasedUserState,
  ({ userId }) => [userId],
  ABOUT_NOBODY,
);
