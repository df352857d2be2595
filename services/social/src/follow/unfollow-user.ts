import { Injectable } from '@nestjs/common';
import type { FollowResult, UnfollowUserRequest } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { ChangeFollow } from './change-follow.js';

/**
 * `DELETE /api/users/{id}/follow`, idempotent, also for a user who was never followed (PEOPLE-18). Throws like
 * `ChangeFollow`.
 */
@Injectable()
export class UnfollowUser {
  constructor(private readonly change: ChangeFollow) {}

  execute({ userId: targetId }: UnfollowUserRequest): Promise<FollowResult> {
    const { userId: followerId } = requireCaller();
    return this.change.execute({ followerId, targetId }, false, SUSPENDED_TOO);
  }
}
