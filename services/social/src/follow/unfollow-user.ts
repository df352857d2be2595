import { Injectable } from '@nestjs/common';
import type { FollowResult, UnfollowUserRequest } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { KnownUsers } from '../projections/known-users.js';
import { ChangeFollow } from './change-follow.js';

/**
 * `DELETE /api/users/{id}/follow`, idempotent, also for a user who was never followed (PEOPLE-18). Throws `not-found`, then
 * like `ChangeFollow`.
 */
@Injectable()
export class UnfollowUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly change: ChangeFollow,
  ) {}

  async execute({ userId: targetId }: UnfollowUserRequest): Promise<FollowResult> {
    const { userId: followerId } = requireCaller();
    await this.users.requireCallerAnd(followerId, targetId, { accepted: SUSPENDED_TOO });
    return this.change.execute({ followerId, targetId }, false);
  }
}
