import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userStatusOf } from '@pulso/contracts/user-status';
import { userTopic } from '@pulso/contracts/topics/identity';
import { awaitsState } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { checkCaller } from '@pulso/platform/users/user-checks';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';

/** Social's copy of a user, from pulso.identity.user.v1. */
export interface KnownUser {
  id: string;
  status: 'active' | 'suspended' | 'deleted';
  isCoach: boolean;
}

/** `suspended-too`: for undoing something that concerns a suspended user. */
type Accept = 'active' | 'suspended-too';

/** Social's projection of users. */
@Injectable()
export class KnownUsers extends ProjectionTable<UserState> {
  constructor(store: ProjectionStore) {
    super(store, {
      topic: userTopic,
      table: 'known_users',
      key: ['id'],
      columns: (state) => ({
        status: userStatusOf(state),
        name: state.name,
        username: state.username,
        profile_image_id: state.profileImageId,
        is_coach: state.isCoach,
      }),
    });
  }

  /**
   * The access check of an action on another user. Throws `unavailable` while the caller's row has not arrived
   * (HTTP-30: never a 403), `user-disabled` for a suspended or deleted caller; otherwise like `require`.
   */
  async requireCallerAnd(callerId: string, otherId: string, accept: Accept = 'active'): Promise<KnownUser> {
    const users = await this.find([callerId, otherId]);
    checkCaller(users.get(callerId));
    return this.check(otherId, users.get(otherId), accept);
  }

  /** Like `requireCallerAnd`, for actions that concern the caller only. */
  async requireCaller(callerId: string): Promise<KnownUser> {
    return checkCaller((await this.find([callerId])).get(callerId));
  }

  /**
   * Returns a visible user. Throws `not-found`, also for malformed ids, but `unavailable` while the user's state has not
   * arrived and a consistency token says that they exist (HTTP-30).
   */
  async require(id: string, accept: Accept = 'active', manager?: EntityManager): Promise<KnownUser> {
    return this.check(id, (await this.find([id], manager)).get(id), accept);
  }

  /**
   * The id of a user whom an operator names by id or present username; also of a suspended or deleted one. Throws `not-found`.
   * Reads all users for a username: operators ask rarely, and no index has to be kept.
   */
  async idOf(user: string): Promise<string> {
    const [row] = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM known_users WHERE ${isId(user) ? 'id = $1::uuid' : 'username = lower($1)'} LIMIT 1`,
      [user.replace(/^@/, '')],
    );
    if (!row) throw userNotFound();
    return row.id;
  }

  private check(id: string, user: KnownUser | undefined, accept: Accept): KnownUser {
    if (!user && awaitsState(userTopic, id)) throw unavailable();
    const accepted =
      user?.status === 'active' || (user?.status === 'suspended' && accept === 'suspended-too');
    if (!accepted) throw userNotFound();
    return user;
  }

  /** Pass the manager of a transaction: a second connection for one request can exhaust the pool. */
  private async find(
    ids: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, KnownUser>> {
    const rows = await manager.query<KnownUser[]>(
      'SELECT id, status, is_coach AS "isCoach" FROM known_users WHERE id = ANY($1::uuid[])',
      [ids.filter(isId)],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}
