import { Injectable } from '@nestjs/common';
import type { Author, CommentPage, ListCommentsRequest } from '@pulso/contracts/posts/v1/posts';
import { pageSize } from '@pulso/platform/paging/page-size';
import { KnownUsers } from '../access/known-users.js';
import { isHiddenFrom, requireOpen } from '../access/visibility.js';
import { viewComment } from '../comment/comment.js';
import { CommentRepository } from '../comment/comment.repository.js';
import type { CommentDocument } from '../comment/comment.schema.js';
import { ViewerLikes } from '../like/viewer-likes.js';
import { ListPager } from '../paging/list-pager.js';
import { PostGuard, type Reader } from '../post/post-guard.js';

interface SeenComment {
  comment: CommentDocument;
  author: Author;
}

/**
 * `GET /api/posts/{id}/comments`, oldest first, without comments of suspended users and of users with a block in
 * either direction. Comments of deleted users stay, under another name (ACCT-36).
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

    const found = await this.visible(postId, after, size + 1, reader);
    const shown = found.slice(0, size);
    const ids = shown.map(({ comment }) => comment._id);
    const liked = reader ? await this.likes.among(reader.viewer, ids) : new Set<string>();
    return {
      items: shown.map(({ comment, author }) => viewComment(comment, author, liked.has(comment._id))),
      nextCursor: this.pager.next(list, viewerId, found.length > size ? ids.at(-1) : undefined),
    };
  }

  /** The next `wanted` comments that the reader may see. */
  private async visible(
    postId: string,
    after: string | undefined,
    wanted: number,
    reader: Reader | null,
  ): Promise<SeenComment[]> {
    const visible: SeenComment[] = [];
    for (let from = after; ;) {
      const limit = wanted - visible.length;
      const page = await this.comments.listByPost(postId, from, limit);
      const authors = await this.users.get(page.map(({ authorId }) => authorId));
      for (const comment of page) {
        const author = authors.get(comment.authorId);
        if (!author || author.status === 'suspended') continue;
        if (isHiddenFrom(comment.authorId, reader?.access ?? null)) continue;
        visible.push({ comment, author: author.author });
      }
      if (page.length < limit || visible.length === wanted) return visible;
      from = page.at(-1)?._id;
    }
  }
}
