import { Injectable } from '@nestjs/common';
import { viewerId } from '@pulso/platform/context/request-context';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { ShownUser } from '../store/shown-user.js';
import { ShownUsersRepository } from '../store/shown-users.repository.js';

/** The access check of profiles: active users (PEOPLE-1) who have not blocked the caller (PEOPLE-23); also for visitors. */
@Injectable()
export class VisibleUsers {
  constructor(private readonly users: ShownUsersRepository) {}

  /** Throws `not-found`, also for malformed ids. */
  async require(id: string): Promise<ShownUser> {
    const user = isId(id) ? await this.users.visible(id, viewerId()) : undefined;
    if (!user) throw userNotFound();
    return user;
  }

  /** By present name, or by one given up within 90 days. Throws `not-found`. */
  async requireNamed(username: string): Promise<ShownUser> {
    const user = await this.users.visibleNamed(username, viewerId());
    if (!user) throw userNotFound();
    return user;
  }

  /** Those of the users who are visible, in no certain order. */
  among(ids: readonly string[]): Promise<ShownUser[]> {
    return this.users.visibleAmong(ids, viewerId());
  }
}
