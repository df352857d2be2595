import { Injectable } from '@nestjs/common';
import type { UnblockUserRequest, UnblockUserResponse } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { KnownUsers } from '../projections/known-users.js';
import { GraphSignals } from '../relation/graph-signals.js';
import { BlockRepository } from '../store/block.repository.js';
import { cannotBlockSelf } from './block-errors.js';

/** `DELETE /api/users/{id}/block`, idempotent. Does not restore follows that the block ended. */
@Injectable()
export class UnblockUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairWrites,
    private readonly blocks: BlockRepository,
    private readonly graph: GraphSignals,
  ) {}

  async execute({ userId: blockedId }: UnblockUserRequest): Promise<UnblockUserResponse> {
    const { userId: blockerId } = requireCaller();
    await this.users.requireCallerAnd(blockerId, blockedId, { accepted: SUSPENDED_TOO });
    if (blockerId === blockedId) throw cannotBlockSelf();

    await this.pairs.run(blockerId, blockedId, (transaction) =>
      this.blocks.lift({ blockerId, blockedId }, transaction),
    );
    this.graph.tell(blockerId, blockedId);
    return {};
  }
}
