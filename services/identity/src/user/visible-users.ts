import { Injectable } from '@nestjs/common';
import { viewerId } from '@pulso/platform/context/request-context';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { KnownBlocks } from '../projections/known-blocks.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';

/** The access check of profiles: active users (PEOPLE-1) who have not blocked the caller (PEOPLE-23); also for visitors. */
@Injectable()
export class VisibleUsers {
  constructor(
    private readonly users: UserRepository,
    private readonly blocks: KnownBlocks,
  ) {}

  /** Throws `not-found`, also for malformed ids. */
  async require(id: string): Promise<User> {
    const viewer = viewerId();
    if (!isId(id)) throw userNotFound();
    const [user, isHidden] = await Promise.all([
      this.users.findById(id),
      viewer !== null && viewer !== id && this.isBlocked(viewer, id),
    ]);
    if (user?.status !== 'active' || isHidden) throw userNotFound();
    return user;
  }

  /** Those of the users who are visible, in no certain order. */
  async among(ids: readonly string[]): Promise<User[]> {
    const viewer = viewerId();
    const [users, blockers] = await Promise.all([
      this.users.findActive(ids),
      viewer === null ? new Set<string>() : this.blocks.blockersAmong(ids, viewer),
    ]);
    return users.filter(({ id }) => id === viewer || !blockers.has(id));
  }

  private async isBlocked(viewer: string, id: string): Promise<boolean> {
    return (await this.blocks.between(viewer, id)).blockedBy;
  }
}
