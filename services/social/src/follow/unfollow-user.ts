import { Injectable } from '@nestjs/common';
import type { FollowResult } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { blocked } from '@pulso/platform/errors/user-errors';
import { FiguresRepository } from '../store/figures.repository.js';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { KnownUsers } from '../projections/known-users.js';
import { GraphSignals } from '../relation/graph-signals.js';
import { BlocksBetween } from '../store/blocks-between.js';
import { cannotFollowSelf } from './follow-errors.js';
import { FollowRepository } from '../store/follow.repository.js';

/**
 * `DELETE /api/users/{id}/follow`, idempotent, also for a user who was never followed (PEOPLE-18). Throws `not-found`,
 * then `cannot-follow-self`, then `blocked` when either has blocked the other: the follower count is not for them (PEOPLE-19).
 */
@Injectable()
export class UnfollowUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairWrites,
    private readonly blocks: BlocksBetween,
    private readonly follows: FollowRepository,
    private readonly figures: FiguresRepository,
    private readonly graph: GraphSignals,
  ) {}

  async execute(targetId: string): Promise<FollowResult> {
    const { userId: followerId } = requireCaller();
    await this.users.requireCallerAnd(followerId, targetId, 'suspended-too');
    if (followerId === targetId) throw cannotFollowSelf();

    await this.pairs.run(followerId, targetId, async (transaction) => {
      const { either } = await this.blocks.read(followerId, targetId, transaction.manager);
      if (either) throw blocked();
      await this.follows.set({ followerId, targetId }, false, transaction);
    });
    this.graph.tellBoth(followerId, targetId);
    const { followerCount } = await this.figures.of(targetId);
    return { following: false, followerCount };
  }
}
