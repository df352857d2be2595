import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { blockTopic, followTopic } from '@pulso/contracts/topics/social';
import { PairTransactions } from '../database/pair-transactions.js';
import { toFollowState } from '../follow/follow.entity.js';
import { FollowRepository } from '../follow/follow.repository.js';
import { KnownUsers } from '../projection/known-users.js';
import { WriteMarks } from '../write-marks.js';
import { cannotBlockSelf } from './block-errors.js';
import { toBlockState } from './block.entity.js';
import { BlockRepository } from './block.repository.js';

/**
 * `PUT /api/users/{id}/block`, idempotent: ends follows both ways in the same transaction (decisions 19). Those who
 * are blocked may block as well.
 */
@Injectable()
export class BlockUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairTransactions,
    private readonly blocks: BlockRepository,
    private readonly follows: FollowRepository,
    private readonly marks: WriteMarks,
  ) {}

  async execute(blockedId: string): Promise<void> {
    const { userId: blockerId } = requireCaller();
    await this.users.requireCallerAnd(blockerId, blockedId, 'suspended-too');
    if (blockerId === blockedId) throw cannotBlockSelf();

    const { block, ended } = await this.pairs.run(blockerId, blockedId, async (transaction) => ({
      block: await this.blocks.put({ blockerId, blockedId }, transaction),
      ended: await this.follows.endBetween(blockerId, blockedId, transaction),
    }));
    this.marks.note(blockTopic, toBlockState(block));
    for (const follow of ended) this.marks.note(followTopic, toFollowState(follow));
  }
}
