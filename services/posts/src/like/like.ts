import type { LikeState } from '@pulso/contracts/posts/v1/events';
import type { CommentDocument } from '../comment/comment.schema.js';
import type { PostDocument } from '../post/post.schema.js';
import type { LikeDocument } from './like.schema.js';

/** What is liked: a post, or a comment on one. */
export interface LikeTarget {
  targetId: string;
  postId: string;
  onComment: boolean;
  targetAuthorId: string;
}

export function postTarget(post: PostDocument): LikeTarget {
  return { targetId: post._id, postId: post._id, onComment: false, targetAuthorId: post.authorId };
}

export function commentTarget(comment: CommentDocument): LikeTarget {
  return {
    targetId: comment._id,
    postId: comment.postId,
    onComment: true,
    targetAuthorId: comment.authorId,
  };
}

/** The row of a user's like; also the key of its events. */
export function likeId(targetId: string, userId: string): string {
  return `${targetId}_${userId}`;
}

export function likeState(like: LikeDocument): LikeState {
  return {
    userId: like.userId,
    targetId: like.targetId,
    postId: like.postId,
    onComment: like.onComment,
    targetAuthorId: like.targetAuthorId,
    version: like.version,
    active: like.active,
    createdAt: like.createdAt.getTime(),
  };
}
