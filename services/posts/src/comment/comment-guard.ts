import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { PostGuard, type VisiblePost } from '../post/post-guard.js';
import { KnownUsers } from '../projections/known-users.js';
import { isHiddenFrom, type ViewerAccess } from '../projections/viewer-access.js';
import { CommentRepository } from '../store/comment.repository.js';
import type { CommentDocument } from '../store/comment.schema.js';

/** A comment that the caller may see, with its post. */
export interface VisibleComment {
  readonly comment: CommentDocument;
  readonly post: VisiblePost;
}

/** The access check of all use cases that start from one comment. */
@Injectable()
export class CommentGuard {
  constructor(
    private readonly comments: CommentRepository,
    private readonly posts: PostGuard,
    private readonly users: KnownUsers,
  ) {}

  /** The comment with its post, if the caller may see both; otherwise throws `not-found`. */
  async loadVisible(commentId: string): Promise<VisibleComment> {
    const comment = await this.find(commentId);
    const post = await this.posts.loadVisible(comment.postId);
    if (isCommentHidden(comment, post.reader?.access ?? null)) throw commentNotFound();
    return { comment, post };
  }

  /** Whether the list of its post's comments shows it to the caller. */
  async isReadable(comment: CommentDocument): Promise<boolean> {
    const post = await this.posts.loadVisible(comment.postId).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'not-found') return null;
      throw error;
    });
    if (post?.access !== 'open' || isCommentHidden(comment, post.reader?.access ?? null)) return false;
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
