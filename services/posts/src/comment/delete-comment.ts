import { Injectable } from '@nestjs/common';
import type { DeleteCommentRequest, DeleteCommentResponse } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { CommentRepository } from '../store/comment.repository.js';
import { RowCounting } from '../store/row-counting.js';
import { CommentGuard, commentNotFound } from './comment-guard.js';

/**
 * `DELETE /api/comments/{id}`: by its author, even if the post is now hidden from them, or by the post's author (POST-23).
 */
@Injectable()
export class DeleteComment {
  constructor(
    private readonly comments: CommentRepository,
    private readonly guard: CommentGuard,
    private readonly rowCounting: RowCounting,
  ) {}

  async execute({ id }: DeleteCommentRequest): Promise<DeleteCommentResponse> {
    const { userId } = requireCaller();
    for (;;) {
      const comment = await this.guard.find(id);
      if (comment.authorId !== userId && comment.postAuthorId !== userId) {
        if (!(await this.guard.isReadable(comment))) throw commentNotFound();
        throw permissionDenied('Only its author or the author of the post can delete a comment.');
      }
      const deleted = await this.comments.markDeleted(comment, true);
      if (!deleted) continue;
      await this.rowCounting.countComment(deleted);
      return {};
    }
  }
}
