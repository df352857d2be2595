import { Injectable } from '@nestjs/common';
import type { FollowResult, FollowUserRequest } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ChangeFollow } from './change-follow.js';

/** `PUT /api/users/{id}/follow`, idempotent. Throws like `ChangeFollow` (PEOPLE-19, PEOPLE-24). */
@Injectable()
export class FollowUser {
  constructor(private readonly change: ChangeFollow) {}

  execute({ userId: targetId }: FollowUserRequest): Promise<FollowResult> {
    const { userId: followerId } = requireCaller();
    return this.change.execute({ followerId, targetId }, true);
  }
}
