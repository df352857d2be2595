import { Injectable } from '@nestjs/common';
import type { FollowResult } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { followTopic } from '@pulso/contracts/topics/social';
import { blocked } from '../block/block-errors.js';
import { BlockRepository } from '../block/block.repository.js';
import { PairTransactions } from '../database/pair-transactions.js';
import { KnownUsers } from '../projection/known-users.js';
import { WriteMarks } from '../write-marks.js';
import { cannotFollowSelf } from './follow-errors.js';
import { toFollowState } from './follow.entity.js';
import { FollowRepository } from './follow.repository.js';

/**
 * `PUT /api/users/{id}/follow`, idempotent. Throws `not-found`, then `blocked` when either has blocked the other, then
 * `cannot-follow-self`.
 */
@Injectable()
export class FollowUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairTransactions,
    private readonly blocks: BlockRepository,
    private readonly follows: FollowRepository,
    private readonly marks: WriteMarks,
  ) {}

  async execute(targetId: string): Promise<FollowResult> {
    const { userId: followerId } = requireCaller();
    await this.users.requireCallerAnd(followerId, targetId);
    if (followerId === targetId) throw cannotFollowSelf();

    const follow = await this.pairs.run(followerId, targetId, async (transaction) => {
      const { either } = await this.blocks.between(followerId, targetId, transaction);
      if (either) throw blocked();
      return this.follows.set({ followerId, targetId }, true, transaction);
    });
    this.marks.note(followTopic, toFollowState(follow));
    return { following: true, followerCount: await this.follows.countFollowers(targetId) };
  }
}
