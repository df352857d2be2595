import { Injectable } from '@nestjs/common';
import { viewerId } from '@pulso/platform/context/request-context';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { KnownBlocks } from '../projections/known-blocks.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';

/**
 * The active user with an id; public. Throws `not-found`, also for malformed ids (PEOPLE-1) and when the user has blocked
 * the caller (PEOPLE-23).
 */
@Injectable()
export class GetUser {
  constructor(
    private readonly users: UserRepository,
    private readonly blocks: KnownBlocks,
  ) {}

  async execute(id: string): Promise<User> {
    const viewer = viewerId();
    const [user, isBlocked] = isId(id)
      ? await Promise.all([
          this.users.findById(id),
          viewer !== null && viewer !== id && this.blocks.blocks(id, viewer),
        ])
      : [null, false];
    if (user?.status !== 'active' || isBlocked) throw userNotFound();
    return user;
  }
}
