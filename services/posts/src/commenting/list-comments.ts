import { Injectable } from '@nestjs/common';
import type { Author, CommentPage, ListCommentsRequest } from '@pulso/contracts/posts/v1/posts';
import { pageSize } from '@pulso/platform/paging/page-size';
import { KnownUsers } from '../access/known-users.js';
import { requireOpen } from '../access/visibility.js';
import { viewComment } from '../comment/comment.js';
import { isCommentHidden } from '../comment/comment-guard.js';
import { CommentRepository } from '../comment/comment.repository.js';
import type { CommentDocument } from '../comment/comment.schema.js';
import { ViewerLikes } from '../like/viewer-likes.js';
import { ListPager } from '../paging/list-pager.js';
import { turns } from '@pulso/platform/paging/turns';
import { PostGuard, type Reader } from '../post/post-guard.js';

/** How many comments a turn reads at least, to replace those that the reader may not see. */
const REFILL = 100;

interface SeenComment {
  comment: CommentDocument;
  author: Author;
}

/**
 * `GET /api/posts/{id}/comments`, oldest first, without comments of suspended users, of users with a block in either
 * direction, and those hidden by moderators (PEOPLE-37). Comments of deleted users stay, under another name (ACCT-36).
 */
@Injectable()
export class ListComments {
  constructor(
    private readonly comments: CommentRepository,
    private readonly guard: PostGuard,
    private readonly users: KnownUsers,
    private readonly likes: ViewerLikes,
    private readonly pager: ListPager,
  ) {}

  async execute({ postId, limit, cursor }: ListCommentsRequest): Promise<CommentPage> {
    const size = pageSize(limit);
    const { access, reader } = await this.guard.see(postId);
    requireOpen(access);
    const viewerId = reader?.viewer.id ?? null;
    const list = `comments:${postId}`;
    const after = this.pager.position(list, viewerId, cursor);

    const { found, next } = await this.visible(postId, after, size, reader);
    const ids = found.map(({ comment }) => comment._id);
    const liked = reader ? await this.likes.among(reader.viewer, ids) : new Set<string>();
    return {
      items: found.map(({ comment, author }) => viewComment(comment, author, liked.has(comment._id))),
      nextCursor: this.pager.next(list, viewerId, next),
    };
  }

  /**
   * The next comments that the reader may see, at most `size`, and the id after which the next page begins; undefined when
   * there is none.
   */
  private async visible(
    postId: string,
    after: string | undefined,
    size: number,
    reader: Reader | null,
  ): Promise<{ found: SeenComment[]; next: string | undefined }> {
    const found: SeenComment[] = [];
    let from = after;
    for (const turn of turns()) {
      const limit = Math.max(size + 1, turn === 0 ? 0 : REFILL);
      const page = await this.comments.listShown(postId, from, limit);
      const authors = await this.users.get(page.map(({ authorId }) => authorId));
      for (const comment of page) {
        const author = authors.get(comment.authorId);
        if (!author || author.status === 'suspended') continue;
        if (isCommentHidden(comment, reader?.access ?? null)) continue;
        if (found.length === size) return { found, next: found.at(-1)!.comment._id };
        found.push({ comment, author: author.author });
      }
      if (page.length < limit) return { found, next: undefined };
      from = page.at(-1)!._id;
    }
    return { found, next: from };
  }
}
