import { Injectable } from '@nestjs/common';
import type { ListBlocksRequest, UserPage } from '@pulso/contracts/social/v1/social';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ListPage } from '@pulso/platform/paging/list-page';
import { KnownUsers } from '../projections/known-users.js';
import { BlockRepository } from '../store/block.repository.js';
import { fillList } from '../store/fill-list.js';
import { toUserRef } from '../store/user-ref.js';

/** `GET /api/me/blocks`, for the blocker alone, latest first (PEOPLE-26). */
@Injectable()
export class ListBlocks {
  constructor(
    private readonly users: KnownUsers,
    private readonly blocks: BlockRepository,
    private readonly sealer: CursorSealer,
  ) {}

  async execute(request: ListBlocksRequest): Promise<UserPage> {
    const { userId } = requireCaller();
    const page = new ListPage(this.sealer, 'blocks', userId, request);
    await this.users.requireCaller(userId);
    const { rows, nextCursor } = await fillList(page, (slice) => this.blocks.list(userId, slice));
    return { items: rows.map((row) => toUserRef(row.id, row)), nextCursor };
  }
}
