import { Injectable } from '@nestjs/common';
import type { LikeResult, UnlikeCommentRequest } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { CommentGuard } from '../comment/comment-guard.js';
import { LikeRepository } from '../store/like.repository.js';
import { LikeWriter } from './like-writer.js';

/** `DELETE /api/comments/{id}/like`; idempotent. A like can be taken back even if the comment is now hidden. */
@Injectable()
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
    if (!own?.active) {
      const { post } = await this.guard.loadVisible(commentId);
      // There is nothing to take back, and the count of a comment that one may not read is not told (POST-8).
      if (post.access === 'locked') return { liked: false, likeCount: 0 };
    }
    return this.writer.unlike(commentId, userId, comment.likeCount);
  }
}
