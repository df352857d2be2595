import { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { UserState } from '@pulso/contracts/identity/v1/events';
import { CommentState, LikeState, PostState } from '@pulso/contracts/posts/v1/events';
import {
  BlockState,
  FollowState,
  HiddenPostState,
  ReviewState,
  UserSuspensionState,
} from '@pulso/contracts/social/v1/events';
import { stateTopic } from './topic.js';

// The table of all topics. Keys are what the .proto files say; a changed meaning is a new `.v2` beside the old one.

export const userTopic = stateTopic('pulso.identity.user.v1', UserState, (user) => user.id);

export const postTopic = stateTopic('pulso.posts.post.v1', PostState, (post) => post.id);

export const commentTopic = stateTopic('pulso.posts.comment.v1', CommentState, (comment) => comment.id);

export const likeTopic = stateTopic(
  'pulso.posts.like.v1',
  LikeState,
  (like) => `${like.targetId}_${like.userId}`,
);

export const followTopic = stateTopic(
  'pulso.social.follow.v1',
  FollowState,
  (follow) => `${follow.followerId}_${follow.targetId}`,
);

export const blockTopic = stateTopic(
  'pulso.social.block.v1',
  BlockState,
  (block) => `${block.blockerId}_${block.blockedId}`,
);

export const reviewTopic = stateTopic(
  'pulso.social.review.v1',
  ReviewState,
  (review) => `${review.coachId}_${review.reviewerId}`,
);

export const hiddenPostTopic = stateTopic(
  'pulso.social.hidden-post.v1',
  HiddenPostState,
  (hiding) => hiding.postId,
);

export const userSuspensionTopic = stateTopic(
  'pulso.social.user-suspension.v1',
  UserSuspensionState,
  (suspension) => suspension.userId,
);

export const subscriptionTopic = stateTopic(
  'pulso.billing.subscription.v1',
  SubscriptionState,
  (subscription) => `${subscription.userId}_${subscription.coachId}`,
);
