import { Injectable } from '@nestjs/common';
import { viewerId } from '@pulso/platform/context/request-context';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { KnownUsers } from '../projections/known-users.js';
import { BlocksBetween, NO_BLOCKS } from '../store/blocks-between.js';

/** The access check of all public reads about one user. */
@Injectable()
export class VisibleUsers {
  constructor(
    private readonly users: KnownUsers,
    private readonly blocks: BlocksBetween,
  ) {}

  /**
   * Throws `not-found`, also when the user has blocked the viewer (PEOPLE-23). Returns whether the viewer has blocked
   * the user: in that case only the head of the profile is shown.
   */
  async require(userId: string): Promise<{ blocked: boolean }> {
    const viewer = viewerId();
    if (viewer === userId) {
      await this.users.requireCaller(viewer);
      return NO_BLOCKS;
    }
    await this.users.require(userId);
    const { blocked, blockedBy } = viewer === null ? NO_BLOCKS : await this.blocks.read(viewer, userId);
    if (blockedBy) throw userNotFound();
    return { blocked };
  }
}
