import { Injectable } from '@nestjs/common';
import type { ListFollowersRequest, UserPage } from '@pulso/contracts/social/v1/social';
import { FollowLists } from './follow-lists.js';

/** `GET /api/users/{id}/followers` (PEOPLE-20). */
@Injectable()
export class ListFollowers {
  constructor(private readonly lists: FollowLists) {}

  execute(request: ListFollowersRequest): Promise<UserPage> {
    return this.lists.read('followers', request);
  }
}
