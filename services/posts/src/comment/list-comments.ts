import { Injectable } from '@nestjs/common';
import type { Author, CommentPage, ListCommentsRequest } from '@pulso/contracts/posts/v1/posts';
import { fillPage } from '@pulso/platform/paging/fill-page';
import { pageSize } from '@pulso/platform/paging/page-size';
import { ListPager } from '../post/list-pager.js';
import { PostGuard, type Reader } from '../post/post-guard.js';
import { KnownUsers } from '../projections/known-users.js';
import { requireOpen } from '../projections/viewer-access.js';
import { CommentRepository } from '../store/comment.repository.js';
import type { CommentDocument } from '../store/comment.schema.js';
import { ViewerLikes } from '../store/viewer-likes.js';
import { isCommentHidden } from './comment-guard.js';
import { viewComment } from './comment-view.js';

interface VisibleComment {
  row: CommentDocument;
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
    const { access, reader } = await this.guard.loadVisible(postId);
    requireOpen(access);
    const viewerId = reader?.viewer.id ?? null;
    const list = `comments:${postId}`;
    const after = this.pager.position(list, viewerId, cursor);

    const { found, next } = await fillPage({
      ...{ after, size },
      read: (from, most) => this.comments.listShown(postId, viewerId ?? undefined, from, most),
      shown: (comments) => this.shown(comments, reader),
      placeOf: ({ _id }) => _id,
    });
    const ids = found.map(({ row }) => row._id);
    const liked = reader ? await this.likes.among(reader.viewer, ids) : new Set<string>();
    return {
      items: found.map(({ row, author }) => viewComment(row, author, liked.has(row._id))),
      nextCursor: this.pager.next(list, viewerId, next),
    };
  }

  private async shown(
    comments: readonly CommentDocument[],
    reader: Reader | null,
  ): Promise<VisibleComment[]> {
    const authors = await this.users.get(comments.map(({ authorId }) => authorId));
    return comments.flatMap((row) => {
      const author = authors.get(row.authorId);
      if (!author || author.status === 'suspended') return [];
      return isCommentHidden(row, reader?.access ?? null) ? [] : [{ row, author: author.author }];
    });
  }
}
