import type { LikeResult, UnlikeCommentRequest } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import type { CommentGuard } from '../comment/comment-guard.js';
import type { LikeRepository } from './like.repository.js';
import type { LikeWriter } from './like-writer.js';

/** `DELETE /api/comments/{id}/like`; idempotent, and always allowed to who has liked it. */
export class UnlikeComment {
  constructor(
    private readonly likes: LikeRepository,
    private readonly guard: CommentGuard,
    private readonly writer: LikeWriter,
  ) {}

  async execute({ commentId }: UnlikeCommentRequest): Promise<LikeResult> {
    const { userId } = requireCaller();
    const comment = await this.guard.find(commentId);
    const own = await this.likes.find(commentId, userId);
    if (!own?.active) await this.guard.see(commentId);
    return this.writer.unlike(commentId, userId, comment.likeCount);
  }
}
