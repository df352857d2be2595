import { Injectable } from '@nestjs/common';
import type { FollowResult } from '@pulso/contracts/social/v1/social';
import { blocked } from '@pulso/platform/errors/user-errors';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { GraphSignals } from '../relation/graph-signals.js';
import { FiguresRepository } from '../store/figures.repository.js';
import type { Follow } from '../store/follow.entity.js';
import { FollowRepository } from '../store/follow.repository.js';
import { cannotFollowSelf } from './follow-errors.js';

/** Begins or ends a follow of two users who may meet, and answers with the count of followers. */
@Injectable()
export class ChangeFollow {
  constructor(
    private readonly pairs: PairWrites,
    private readonly follows: FollowRepository,
    private readonly figures: FiguresRepository,
    private readonly graph: GraphSignals,
  ) {}

  /**
   * Throws `cannot-follow-self`, then `blocked` when either has blocked the other: the count is not for them (PEOPLE-19).
   */
  async execute(pair: Pick<Follow, 'followerId' | 'targetId'>, active: boolean): Promise<FollowResult> {
    const { followerId, targetId } = pair;
    if (followerId === targetId) throw cannotFollowSelf();

    // Under the pair's lock no follow begins beside a block.
    await this.pairs.run(followerId, targetId, async (transaction) => {
      if (!(await this.follows.set(pair, active, transaction))) throw blocked();
    });
    this.graph.tellBoth(followerId, targetId);
    const { followerCount } = await this.figures.of(targetId);
    return { following: active, followerCount };
  }
}
