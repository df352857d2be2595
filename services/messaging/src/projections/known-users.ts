import { Injectable } from '@nestjs/common';
import type { UserRef } from '@pulso/contracts/common/v1/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { DELETED_USER_NAME, userStatusOf } from '@pulso/contracts/user-status';
import { awaitsState } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { checkCaller } from '@pulso/platform/users/user-checks';
import { type UserRow, UserRows } from './user.schema.js';

/** Messaging's projection of users; it is read from the store each time. */
@Injectable()
export class KnownUsers extends ProjectedRows<UserState, UserRow> {
  readonly topic = userTopic;

  constructor(rows: UserRows, rebuilds: Rebuilds) {
    super(rows, rebuilds);
  }

  /** Users by id, without those that the projection does not hold. */
  async get(ids: Iterable<string>): Promise<ReadonlyMap<string, UserRow>> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Map();
    const rows = await this.rows.find({ _id: { $in: wanted } }, { limit: wanted.length });
    return new Map(rows.map((row) => [row._id, row]));
  }

  /**
   * The caller's own row. Throws `unavailable` while it has not arrived (HTTP-30: never a 403), `user-disabled` for a
   * suspended or deleted account whose token has not expired yet.
   */
  async requireCaller(id: string): Promise<UserRow> {
    return checkCaller((await this.get([id])).get(id));
  }

  /**
   * The access check of an action on another user; returns this user. Throws like `requireCaller`, then `not-found` for an
   * unknown, suspended or deleted user and for a malformed id, but `unavailable` while a consistency token says that the
   * user exists (HTTP-30).
   */
  async requireCallerAnd(callerId: string, otherId: string): Promise<UserRow> {
    const users = await this.get([callerId, otherId].filter(isId));
    checkCaller(users.get(callerId));
    const other = users.get(otherId);
    if (!other && awaitsState(userTopic, otherId)) throw unavailable();
    if (other?.status !== 'active') throw userNotFound();
    return other;
  }

  /** Throws for a malformed id. */
  protected fieldsOf(state: UserState) {
    if (!isId(state.id)) throw new Error(`not a user id: ${state.id}`);
    return {
      status: userStatusOf(state),
      name: state.name,
      username: state.username,
      profileImageId: state.profileImageId,
      isCoach: state.isCoach,
    };
  }

  /** No row is cached. */
  protected rebuilt(): void {}
}

/** The user as others see them. Of a deleted one only the id is left (MSG-11, ACCT-36). */
export function userRefOf({ _id: id, status, name, username, profileImageId, isCoach }: UserRow): UserRef {
  if (status === 'deleted') {
    return { id, name: DELETED_USER_NAME, username: '', profileImageId: '', isCoach: false };
  }
  return { id, name, username, profileImageId, isCoach };
}
