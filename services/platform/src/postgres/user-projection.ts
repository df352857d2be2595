import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { type UserStatusName, userStatusOf } from '@pulso/contracts/user-status';
import { checkCaller, checkOther } from '../users/user-checks.js';
import { isId } from '../ids/uuid-v7.js';
import { type ProjectionStore, ProjectionTable } from './projection-table.js';
import { lockOf, pairOf } from './pair-writes.js';
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

/** The same after the lock of a pair ($2) was taken, by one statement. */
const PAIR = `WITH pair AS MATERIALIZED (SELECT ${lockOf('$2')})
  SELECT id, status, is_coach AS "isCoach" FROM pair, known_users WHERE id = ANY ($1::uuid[])`;
const FIND_IN_PAIR = statement<KnownUser>('known-users.find-in-pair', PAIR);
// Locked after the sort, so after the pair: as of then, not as of the statement's beginning.
const LOCK_IN_PAIR = statement<KnownUser>(
  'known-users.lock-in-pair',
  `${PAIR} ORDER BY id FOR SHARE OF known_users`,
);

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

  /** The same after the lock of the caller's pair with another user was taken, which `PairWrites.run` then need not take. */
  async requireCallerInPair(callerId: string, otherId: string, transaction: Transaction): Promise<KnownUser> {
    const rows = await transaction.rows(FIND_IN_PAIR, [[callerId], pairOf(callerId, otherId)]);
    return checkCaller(rows[0]);
  }

  /** The user whom an action of the caller is about. Throws like `requireCaller`, then like `checkOther`. */
  async requireCallerAnd(
    callerId: string,
    otherId: string,
    { accepted }: { accepted?: readonly UserStatusName[] } = {},
  ): Promise<KnownUser> {
    return checkBoth(await this.find([callerId, otherId]), callerId, otherId, accepted);
  }

  /**
   * The same under the lock of the pair, as in `requireCallerInPair`. With `lock` both rows are locked, too, until the end of
   * the transaction: a newer state comes before it and is seen, or after it.
   */
  async requireBothInPair(
    callerId: string,
    otherId: string,
    transaction: Transaction,
    { accepted, lock = false }: { accepted?: readonly UserStatusName[] | undefined; lock?: boolean } = {},
  ): Promise<KnownUser> {
    const ids = [callerId, otherId].filter(isId);
    const values = [ids, pairOf(callerId, otherId)];
    const rows = await transaction.rows(lock ? LOCK_IN_PAIR : FIND_IN_PAIR, values);
    return checkBoth(byId(rows), callerId, otherId, accepted);
  }

  /** Both users, unless they are unknown, under the lock of the pair and of their rows, in whatever state they are. */
  async lockBothInPair(
    one: string,
    other: string,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, KnownUser>> {
    return byId(await transaction.rows(LOCK_IN_PAIR, [[one, other], pairOf(one, other)]));
  }

  /** The user whom a read is about. Throws like `checkOther`. */
  async require(
    id: string,
    accepted?: readonly UserStatusName[],
    transaction?: Transaction,
  ): Promise<KnownUser> {
    return checkOther(id, (await this.find([id], transaction)).get(id), accepted);
  }

  /** Whether the copy says that the account is deleted: from then on no call of the service lets the user write. */
  async isDeleted(id: string): Promise<boolean> {
    return (await this.find([id])).get(id)?.status === 'deleted';
  }

  /** Users by id, without unknown ones and malformed ids; on the connection of `transaction`: a second one can exhaust the pool. */
  private async find(
    ids: readonly string[],
    transaction?: Transaction,
  ): Promise<ReadonlyMap<string, KnownUser>> {
    return byId(await (transaction ?? this.statements).rows(FIND, [ids.filter(isId)]));
  }
}

const byId = (rows: readonly KnownUser[]) => new Map(rows.map((row) => [row.id, row]));

function checkBoth(
  users: ReadonlyMap<string, KnownUser>,
  callerId: string,
  otherId: string,
  accepted?: readonly UserStatusName[],
): KnownUser {
  checkCaller(users.get(callerId));
  return checkOther(otherId, users.get(otherId), accepted);
}
