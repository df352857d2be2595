import { Injectable } from '@nestjs/common';
import type { BlockUserRequest, BlockUserResponse } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { KnownUsers } from '../projections/known-users.js';
import { GraphSignals } from '../relation/graph-signals.js';
import { BlockRepository } from '../store/block.repository.js';
import { FollowRepository } from '../store/follow.repository.js';
import { cannotBlockSelf } from './block-errors.js';

/**
 * `PUT /api/users/{id}/block`, idempotent: ends follows in both directions in the same transaction (PEOPLE-22). A
 * blocked user may block, too.
 */
@Injectable()
export class BlockUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairWrites,
    private readonly blocks: BlockRepository,
    private readonly follows: FollowRepository,
    private readonly graph: GraphSignals,
  ) {}

  async execute({ userId: blockedId }: BlockUserRequest): Promise<BlockUserResponse> {
    const { userId: blockerId } = requireCaller();
    await this.users.requireCallerAnd(blockerId, blockedId, { accepted: SUSPENDED_TOO });
    if (blockerId === blockedId) throw cannotBlockSelf();

    await this.pairs.run(blockerId, blockedId, async (transaction) => {
      await this.blocks.put({ blockerId, blockedId }, transaction);
      await this.follows.endBetween(blockerId, blockedId, transaction);
    });
    this.graph.tell(blockerId, blockedId);
    return {};
  }
}
