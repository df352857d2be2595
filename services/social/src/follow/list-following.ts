import { Injectable } from '@nestjs/common';
import type { ListFollowingRequest, UserPage } from '@pulso/contracts/social/v1/social';
import { FollowLists } from './follow-lists.js';

/** `GET /api/users/{id}/following` (PEOPLE-20). */
@Injectable()
export class ListFollowing {
  constructor(private readonly lists: FollowLists) {}

  execute(request: ListFollowingRequest): Promise<UserPage> {
    return this.lists.read('following', request);
  }
}
