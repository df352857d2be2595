import { Injectable } from '@nestjs/common';
import type { FollowResult } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { followTopic } from '@pulso/contracts/topics/social';
import { PairTransactions } from '../database/pair-transactions.js';
import { KnownUsers } from '../projection/known-users.js';
import { WriteMarks } from '../write-marks.js';
import { cannotFollowSelf } from './follow-errors.js';
import { toFollowState } from './follow.entity.js';
import { FollowRepository } from './follow.repository.js';

/** `DELETE /api/users/{id}/follow`, idempotent, also for one who was never followed (decisions 18). */
@Injectable()
export class UnfollowUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairTransactions,
    private readonly follows: FollowRepository,
    private readonly marks: WriteMarks,
  ) {}

  async execute(targetId: string): Promise<FollowResult> {
    const { userId: followerId } = requireCaller();
    await this.users.requireCallerAnd(followerId, targetId, 'suspended-too');
    if (followerId === targetId) throw cannotFollowSelf();

    const follow = await this.pairs.run(followerId, targetId, (transaction) =>
      this.follows.set({ followerId, targetId }, false, transaction),
    );
    this.marks.note(followTopic, toFollowState(follow));
    return { following: false, followerCount: await this.follows.countFollowers(targetId) };
  }
}
