import { Injectable } from '@nestjs/common';
import type { Author, AuthorPage, ListPostLikesRequest } from '@pulso/contracts/posts/v1/posts';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { ListPage, type Position } from '@pulso/platform/paging/list-page';
import { KnownUsers } from '../access/known-users.js';
import { isHiddenFrom, requireOpen } from '../access/visibility.js';
import { LikeRepository } from '../like/like.repository.js';
import type { LikeDocument } from '../like/like.schema.js';
import { turns } from '@pulso/platform/paging/turns';
import { PostGuard, type Reader } from '../post/post-guard.js';

/** How many likes a turn reads at least, to replace those of people who are not shown. */
const REFILL = 100;

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
    const { access, reader } = await this.guard.see(postId);
    requireOpen(access);
    const page = new ListPage(this.sealer, `likes:${postId}`, reader?.viewer.id ?? null, request);
    const { found, next } = await this.visible(postId, page, reader);
    return { items: found.map(({ author }) => author), nextCursor: page.cursorAfter(next) };
  }

  /** The page's people, and the like after which the next page begins; undefined when there is none. */
  private async visible(
    postId: string,
    { slice, size }: ListPage,
    reader: Reader | null,
  ): Promise<{ found: { like: LikeDocument; author: Author }[]; next: Position | undefined }> {
    const found: { like: LikeDocument; author: Author }[] = [];
    let from = slice.after;
    for (const turn of turns()) {
      const limit = Math.max(slice.limit, turn === 0 ? 0 : REFILL);
      const likes = await this.likes.listNewest(postId, from, limit);
      const users = await this.users.get(likes.map(({ userId }) => userId));
      for (const like of likes) {
        const user = users.get(like.userId);
        if (user?.status !== 'active' || isHiddenFrom(like.userId, reader?.access ?? null)) continue;
        if (found.length === size) return { found, next: positionOf(found.at(-1)!.like) };
        found.push({ like, author: user.author });
      }
      if (likes.length < limit) return { found, next: undefined };
      from = positionOf(likes.at(-1)!);
    }
    return { found, next: from };
  }
}

function positionOf({ createdAt, userId }: LikeDocument): Position {
  return { createdAt: createdAt.getTime(), id: userId };
}
