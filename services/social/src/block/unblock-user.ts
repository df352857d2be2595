import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { blockTopic } from '@pulso/contracts/topics/social';
import { PairTransactions } from '../database/pair-transactions.js';
import { KnownUsers } from '../projection/known-users.js';
import { WriteMarks } from '../write-marks.js';
import { cannotBlockSelf } from './block-errors.js';
import { toBlockState } from './block.entity.js';
import { BlockRepository } from './block.repository.js';

/** `DELETE /api/users/{id}/block`, idempotent. Follows that the block ended stay ended. */
@Injectable()
export class UnblockUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairTransactions,
    private readonly blocks: BlockRepository,
    private readonly marks: WriteMarks,
  ) {}

  async execute(blockedId: string): Promise<void> {
    const { userId: blockerId } = requireCaller();
    await this.users.requireCallerAnd(blockerId, blockedId, 'suspended-too');
    if (blockerId === blockedId) throw cannotBlockSelf();

    const block = await this.pairs.run(blockerId, blockedId, (transaction) =>
      this.blocks.lift({ blockerId, blockedId }, transaction),
    );
    if (block) this.marks.note(blockTopic, toBlockState(block));
  }
}
