import { Injectable } from '@nestjs/common';
import type { FollowResult } from '@pulso/contracts/social/v1/social';
import type { UserStatusName } from '@pulso/contracts/user-status';
import { blocked } from '@pulso/platform/errors/user-errors';
import { Writes } from '@pulso/platform/postgres/writes';
import { KnownUsers } from '../projections/known-users.js';
import { GraphSignals } from '../relation/graph-signals.js';
import type { Follow } from '../store/follow.entity.js';
import { FollowRepository } from '../store/follow.repository.js';
import { cannotFollowSelf } from './follow-errors.js';

/** Begins or ends a follow of two users who may meet, and answers with the count of followers. */
@Injectable()
export class ChangeFollow {
  constructor(
    private readonly users: KnownUsers,
    private readonly writes: Writes,
    private readonly follows: FollowRepository,
    private readonly graph: GraphSignals,
  ) {}

  /**
   * The target may have an `accepted` status. Throws `not-found`, `cannot-follow-self`, then `blocked` when either has blocked
   * the other: the count is not for them (PEOPLE-19).
   */
  async execute(
    pair: Pick<Follow, 'followerId' | 'targetId'>,
    active: boolean,
    accepted?: readonly UserStatusName[],
  ): Promise<FollowResult> {
    const { followerId, targetId } = pair;
    const followerCount = await this.writes.run(async (transaction) => {
      // Under the pair's lock no follow begins beside a block.
      await this.users.requireBothInPair(followerId, targetId, transaction, { accepted });
      if (followerId === targetId) throw cannotFollowSelf();
      const count = await this.follows.set(pair, active, transaction);
      if (count === undefined) throw blocked();
      return count;
    });
    this.graph.tellBoth(followerId, targetId);
    return { following: active, followerCount };
  }
}
