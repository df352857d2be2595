import { Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { isHiddenFrom, type ViewerAccess } from '../access/visibility.js';
import { PostGuard, type SeenPost } from '../post/post-guard.js';
import { CommentRepository } from './comment.repository.js';
import type { CommentDocument } from './comment.schema.js';

/** The access check of all use cases that start from one comment. */
@Injectable()
export class CommentGuard {
  constructor(
    private readonly comments: CommentRepository,
    private readonly posts: PostGuard,
  ) {}

  /** The comment with its post, if the caller may see both; otherwise throws `not-found`. */
  async see(commentId: string): Promise<{ comment: CommentDocument; seen: SeenPost }> {
    const comment = await this.find(commentId);
    const seen = await this.posts.see(comment.postId);
    if (isCommentHidden(comment, seen.reader?.access ?? null)) throw commentNotFound();
    return { comment, seen };
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
