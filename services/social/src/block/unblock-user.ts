import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { KnownUsers } from '../projections/known-users.js';
import { GraphSignals } from '../relation/graph-signals.js';
import { cannotBlockSelf } from './block-errors.js';
import { BlockRepository } from '../store/block.repository.js';

/** `DELETE /api/users/{id}/block`, idempotent. Does not restore follows that the block ended. */
@Injectable()
export class UnblockUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairWrites,
    private readonly blocks: BlockRepository,
    private readonly graph: GraphSignals,
  ) {}

  async execute(blockedId: string): Promise<void> {
    const { userId: blockerId } = requireCaller();
    await this.users.requireCallerAnd(blockerId, blockedId, 'suspended-too');
    if (blockerId === blockedId) throw cannotBlockSelf();

    await this.pairs.run(blockerId, blockedId, (transaction) =>
      this.blocks.lift({ blockerId, blockedId }, transaction),
    );
    this.graph.tell(blockerId, blockedId);
  }
}
