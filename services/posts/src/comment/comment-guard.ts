import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { KnownUsers } from '../projections/known-users.js';
import { isHiddenFrom, type ViewerAccess } from '../projections/viewer-access.js';
import { PostGuard, type SeenPost } from '../post/post-guard.js';
import { CommentRepository } from '../store/comment.repository.js';
import type { CommentDocument } from '../store/comment.schema.js';

/** The access check of all use cases that start from one comment. */
@Injectable()
export class CommentGuard {
  constructor(
    private readonly comments: CommentRepository,
    private readonly posts: PostGuard,
    private readonly users: KnownUsers,
  ) {}

  /** The comment with its post, if the caller may see both; otherwise throws `not-found`. */
  async see(commentId: string): Promise<{ comment: CommentDocument; seen: SeenPost }> {
    const comment = await this.find(commentId);
    const seen = await this.posts.see(comment.postId);
    if (isCommentHidden(comment, seen.reader?.access ?? null)) throw commentNotFound();
    return { comment, seen };
  }

  /** Whether the list of its post's comments shows it to the caller. */
  async isReadable(comment: CommentDocument): Promise<boolean> {
    const seen = await this.posts.see(comment.postId).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'not-found') return null;
      throw error;
    });
    if (seen?.access !== 'open' || isCommentHidden(comment, seen.reader?.access ?? null)) return false;
    const author = await this.users.find(comment.authorId);
    return author !== undefined && author.status !== 'suspended';
  }

  /** The comment, without an access check. */
  async find(commentId: string): Promise<CommentDocument> {
    const comment = isId(commentId) ? await this.comments.find(commentId) : null;
    if (!comment) throw commentNotFound();
    return comment;
  }
}

/** Whether the viewer may not see the comment: a block, or a moderator who hides it from all but its author. */
export function isCommentHidden(
  { authorId, hiddenAt }: Pick<CommentDocument, 'authorId' | 'hiddenAt'>,
  viewer: ViewerAccess | null,
): boolean {
  return isHiddenFrom(authorId, viewer) || (hiddenAt !== undefined && viewer?.viewerId !== authorId);
}

export function commentNotFound() {
  return notFound('Comment not found');
}
