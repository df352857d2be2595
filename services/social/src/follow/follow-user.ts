import { Injectable } from '@nestjs/common';
import type { FollowResult, FollowUserRequest } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { KnownUsers } from '../projections/known-users.js';
import { ChangeFollow } from './change-follow.js';

/** `PUT /api/users/{id}/follow`, idempotent. Throws `not-found`, then like `ChangeFollow` (PEOPLE-19, PEOPLE-24). */
@Injectable()
export class FollowUser {
  constructor(
    private readonly users: KnownUsers,
    private readonly change: ChangeFollow,
  ) {}

  async execute({ userId: targetId }: FollowUserRequest): Promise<FollowResult> {
    const { userId: followerId } = requireCaller();
    await this.users.requireCallerAnd(followerId, targetId);
    return this.change.execute({ followerId, targetId }, true);
  }
}
