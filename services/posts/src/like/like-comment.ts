import type { LikeCommentRequest, LikeResult } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { type CommentGuard, commentNotFound } from '../comment/comment-guard.js';
import { requireOpen } from '../post/visibility.js';
import { commentTarget } from './like.js';
import type { LikeWriter } from './like-writer.js';

/** `PUT /api/comments/{id}/like`; idempotent. Not under a post that is locked for the caller. */
export class LikeComment {
  constructor(
    private readonly guard: CommentGuard,
    private readonly writer: LikeWriter,
  ) {}

  async execute({ commentId }: LikeCommentRequest): Promise<LikeResult> {
    const { userId } = requireCaller();
    const { comment, seen } = await this.guard.see(commentId);
    requireOpen(seen.access);
    const result = await this.writer.like(commentTarget(comment), userId, comment.likeCount);
    if (!result) throw commentNotFound();
    return result;
  }
}
