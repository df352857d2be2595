import type { DeleteCommentRequest } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { commentTopic } from '@pulso/contracts/topics/posts';
import type { CountKeeper } from '../post/count-keeper.js';
import type { EraseTraces } from '../post/erase-traces.job.js';
import type { RowCounting } from '../post/row-counting.js';
import type { Publication } from '../store/publication.js';
import type { CommentGuard } from './comment-guard.js';
import type { CommentRepository } from './comment.repository.js';

/** `DELETE /api/comments/{id}`, by its author, whoever hides what from whom by now, or by the post's author. */
export class DeleteComment {
  constructor(
    private readonly comments: CommentRepository,
    private readonly guard: CommentGuard,
    private readonly counts: CountKeeper,
    private readonly rowCounting: RowCounting,
    private readonly eraseTraces: EraseTraces,
    private readonly publication: Publication,
  ) {}

  async execute({ id }: DeleteCommentRequest): Promise<void> {
    const { userId } = requireCaller();
    for (;;) {
      const comment = await this.guard.find(id);
      if (comment.authorId !== userId && comment.postAuthorId !== userId) {
        await this.guard.see(id);
        throw permissionDenied('Only its author or the author of the post can delete a comment.');
      }
      const deleted = await this.comments.markDeleted(comment, true);
      if (!deleted) continue;
      await this.counts.commentsOfPost(comment.postId);
      this.rowCounting.noteCounted(deleted);
      this.publication.committed(commentTopic, deleted._id, deleted.version);
      this.eraseTraces.nudge();
      return;
    }
  }
}
