import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { type UserStatusName, userStatusOf } from '@pulso/contracts/user-status';
import { checkCaller, checkOther } from '../users/user-checks.js';
import { isId } from '../ids/uuid-v7.js';
import { PROJECTED_FIELDS, type ProjectedRow } from './projected-row.js';
import { ProjectedRows } from './projected-rows.js';

/** A service's copy of a user, from pulso.identity.user.v1. */
export interface UserRow extends ProjectedRow {
  status: UserStatusName;
  name: string;
  username: string;
  profileImageId: string;
  isCoach: boolean;
}

/** The schema's fields of a `UserRow`. */
export const USER_FIELDS = {
  ...PROJECTED_FIELDS,
  status: { type: String, required: true },
  name: String,
  username: String,
  profileImageId: String,
  isCoach: { type: Boolean, required: true },
} as const;

/** A service's projection of users, and the access checks that read it; `Known` is what the service knows of each. */
export abstract class UserProjection<
  Row extends UserRow,
  Known extends { status: UserStatusName } = Row,
> extends ProjectedRows<UserState, Row> {
  readonly topic = userTopic;

  /** Users by id, without unknown ones. */
  abstract get(ids: Iterable<string>): Promise<ReadonlyMap<string, Known>>;

  /** The caller. Throws `unavailable` while their row has not arrived (HTTP-30), `user-disabled`. */
  async requireCaller(callerId: string): Promise<Known> {
    return checkCaller((await this.get([callerId])).get(callerId));
  }

  /** The user whom an action of the caller is about. Throws like `requireCaller`, then like `checkOther`. */
  async requireCallerAnd(callerId: string, otherId: string): Promise<Known> {
    const users = await this.get([callerId, otherId].filter(isId));
    checkCaller(users.get(callerId));
    return checkOther(otherId, users.get(otherId));
  }

  /** Throws for a malformed id. */
  protected fieldsOf(state: UserState): Omit<UserRow, keyof ProjectedRow> {
    if (!isId(state.id)) throw new Error(`not a user id: ${state.id}`);
    return {
      status: userStatusOf(state),
      name: state.name,
      username: state.username,
      profileImageId: state.profileImageId,
      isCoach: state.isCoach,
    };
  }
}
