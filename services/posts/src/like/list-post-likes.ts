import { Injectable } from '@nestjs/common';
import type { Author, AuthorPage, ListPostLikesRequest } from '@pulso/contracts/posts/v1/posts';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { fillPage } from '@pulso/platform/paging/fill-page';
import { ListPage, type Position } from '@pulso/platform/paging/list-page';
import { PostGuard, type Reader } from '../post/post-guard.js';
import { KnownUsers } from '../projections/known-users.js';
import { isHiddenFrom, requireOpen } from '../projections/viewer-access.js';
import { LikeRepository } from '../store/like.repository.js';
import type { LikeDocument } from '../store/like.schema.js';

interface VisibleLike {
  row: LikeDocument;
  author: Author;
}

/**
 * `GET /api/posts/{id}/likes` (POST-16), newest first, without users who are suspended, deleted or hidden from the
 * reader by a block.
 */
@Injectable()
export class ListPostLikes {
  constructor(
    private readonly likes: LikeRepository,
    private readonly guard: PostGuard,
    private readonly users: KnownUsers,
    private readonly sealer: CursorSealer,
  ) {}

  async execute({ postId, ...request }: ListPostLikesRequest): Promise<AuthorPage> {
    const { access, reader } = await this.guard.loadVisible(postId);
    requireOpen(access);
    const page = new ListPage(this.sealer, `likes:${postId}`, reader?.viewer.id ?? null, request);
    const { found, next } = await fillPage({
      ...{ after: page.after, size: page.size },
      read: (after, limit) => this.likes.listNewest(postId, after, limit),
      shown: (likes) => this.shown(likes, reader),
      placeOf: positionOf,
    });
    return { items: found.map(({ author }) => author), nextCursor: page.cursorAfter(next) };
  }

  private async shown(likes: readonly LikeDocument[], reader: Reader | null): Promise<VisibleLike[]> {
    const users = await this.users.get(likes.map(({ userId }) => userId));
    return likes.flatMap((row) => {
      const user = users.get(row.userId);
      if (user?.status !== 'active' || isHiddenFrom(row.userId, reader?.access ?? null)) return [];
      return [{ row, author: user.author }];
    });
  }
}

function positionOf({ createdAt, userId }: LikeDocument): Position {
  return { createdAt: createdAt.getTime(), id: userId };
}
