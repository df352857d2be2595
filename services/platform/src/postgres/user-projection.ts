import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { type UserStatusName, userStatusOf } from '@pulso/contracts/user-status';
import { checkCaller, checkOther } from '../users/user-checks.js';
import { isId } from '../ids/uuid-v7.js';
import { type ProjectionStore, ProjectionTable } from './projection-table.js';
import { statement } from './statements.js';
import type { Transaction } from './writes.js';

/** A service's copy of a user. */
export interface KnownUser {
  id: string;
  status: UserStatusName;
  isCoach: boolean;
}

const USERS = 'SELECT id, status, is_coach AS "isCoach" FROM known_users WHERE id = ANY ($1::uuid[])';
const FIND = statement<KnownUser>('known-users.find', USERS);
const LOCK = statement<KnownUser>('known-users.lock', `${USERS} ORDER BY id FOR SHARE`);

/** A service's projection of users, in its table `known_users`, and the access checks that read it. */
export abstract class UserProjection extends ProjectionTable<UserState> {
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

  /** The caller. Throws `unavailable` while their row has not arrived (HTTP-30), `user-disabled`. */
  async requireCaller(callerId: string): Promise<KnownUser> {
    return checkCaller((await this.find([callerId])).get(callerId));
  }

  /** The user whom an action of the caller is about. Throws like `requireCaller`, then like `checkOther`. */
  async requireCallerAnd(
    callerId: string,
    otherId: string,
    { accepted, ...how }: { accepted?: readonly UserStatusName[] } & ReadOptions = {},
  ): Promise<KnownUser> {
    const users = await this.find([callerId, otherId], how);
    checkCaller(users.get(callerId));
    return checkOther(otherId, users.get(otherId), accepted);
  }

  /** The user whom a read is about. Throws like `checkOther`. */
  async require(
    id: string,
    accepted?: readonly UserStatusName[],
    transaction?: Transaction,
  ): Promise<KnownUser> {
    return checkOther(id, (await this.find([id], { transaction })).get(id), accepted);
  }

  /** Users by id, without unknown ones and malformed ids. */
  private async find(
    ids: readonly string[],
    { transaction, lock = false }: ReadOptions = {},
  ): Promise<ReadonlyMap<string, KnownUser>> {
    const rows = await (transaction ?? this.statements).rows(lock ? LOCK : FIND, [ids.filter(isId)]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

interface ReadOptions {
  /** Reads on its connection: a second one for one request can exhaust the pool. */
  transaction?: Transaction | undefined;
  /** Locks the rows until the end of the transaction: a newer state comes before it and is seen, or after it. */
  lock?: boolean;
}
