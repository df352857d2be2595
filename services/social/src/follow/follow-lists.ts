import { Injectable } from '@nestjs/common';
import type { UserPage } from '@pulso/contracts/social/v1/social';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { viewerId } from '@pulso/platform/context/request-context';
import { ListPage } from '@pulso/platform/paging/list-page';
import { VisibleUsers } from '../relation/visible-users.js';
import { fillList } from '../store/fill-list.js';
import { type FollowList, FollowRepository } from '../store/follow.repository.js';
import { toUserRef } from '../store/user-ref.js';

/** The two lists of a user's follows, latest first; public (PEOPLE-20). */
@Injectable()
export class FollowLists {
  constructor(
    private readonly visible: VisibleUsers,
    private readonly follows: FollowRepository,
    private readonly sealer: CursorSealer,
  ) {}

  async read(
    list: FollowList,
    { userId, ...request }: { userId: string; limit: number; cursor: string },
  ): Promise<UserPage> {
    const viewer = viewerId();
    const page = new ListPage(this.sealer, `${list}:${userId}`, viewer, request);
    const { blocked } = await this.visible.require(userId);
    if (blocked) return { items: [], nextCursor: '' };

    const { rows, nextCursor } = await fillList(page, (slice) =>
      this.follows.list(list, userId, viewer, slice),
    );
    return { items: rows.map((row) => toUserRef(row.id, row)), nextCursor };
  }
}
