import { Injectable } from '@nestjs/common';
import type { LikeCommentRequest, LikeResult } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { CommentGuard, commentNotFound } from '../comment/comment-guard.js';
import { requireOpen } from '../projections/viewer-access.js';
import { LikeWriter } from './like-writer.js';

/** `PUT /api/comments/{id}/like`; idempotent. Not allowed under a post that is locked for the caller. */
@Injectable()
export class LikeComment {
  constructor(
    private readonly guard: CommentGuard,
    private readonly writer: LikeWriter,
  ) {}

  async execute({ commentId }: LikeCommentRequest): Promise<LikeResult> {
    const { userId } = requireCaller();
    const { comment, post } = await this.guard.loadVisible(commentId);
    requireOpen(post.access);
    const { postId, authorId } = comment;
    const target = { targetId: commentId, postId, onComment: true, targetAuthorId: authorId };
    const result = await this.writer.like(target, userId, comment.likeCount);
    if (!result) throw commentNotFound();
    return result;
  }
}
