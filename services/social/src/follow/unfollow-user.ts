import { Injectable } from '@nestjs/common';
import type { FollowResult } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { PairWrites } from '../pairs/pair-writes.js';
import { KnownUsers } from '../projection/known-users.js';
import { cannotFollowSelf } from './follow-errors.js';
import { FollowRepository } from './follow.repository.js';

/** `DELETE /api/users/{id}/follow`, idempotent, also for a user who was never followed (PEOPLE-18). */
@Injectable()
export class UnfollowUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairWrites,
    private readonly follows: FollowRepository,
  ) {}

  async execute(targetId: string): Promise<FollowResult> {
    const { userId: followerId } = requireCaller();
    await this.users.requireCallerAnd(followerId, targetId, 'suspended-too');
    if (followerId === targetId) throw cannotFollowSelf();

    await this.pairs.run(followerId, targetId, (transaction) =>
      this.follows.set({ followerId, targetId }, false, transaction),
    );
    return { following: false, followerCount: await this.follows.countFollowers(targetId) };
  }
}
