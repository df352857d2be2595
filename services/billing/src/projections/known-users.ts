import { Injectable } from '@nestjs/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { userStatusOf } from '@pulso/contracts/user-status';
import { awaitsState } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { checkCaller } from '@pulso/platform/users/user-checks';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { endingsOf } from '../store/ending.js';
import { EndingRepository } from '../store/ending.repository.js';
import { EndSubscriptions } from '../subscription/end-subscriptions.job.js';

/** Billing's copy of a user, from pulso.identity.user.v1. */
export interface KnownUser {
  id: string;
  status: 'active' | 'suspended' | 'deleted';
  isCoach: boolean;
}

/** Billing's projection of users. A user who is no active coach ends the subscriptions to them (SUBS-12). */
@Injectable()
export class KnownUsers extends ProjectionTable<UserState> {
  constructor(
    store: ProjectionStore,
    private readonly endings: EndingRepository,
    private readonly ending: EndSubscriptions,
  ) {
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
   * Only orders the endings: there may be many subscriptions. A row that a rebuild removes ends nothing, because an ending
   * cannot be taken back, and nobody can subscribe to a user who is not known.
   */
  protected override async afterRowWritten(
    [userId]: readonly string[],
    state: UserState | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (!state) return;
    for (const ending of endingsOf({ status: userStatusOf(state), isCoach: state.isCoach })) {
      const isOrdered = await this.endings.order({ ...ending, userId: userId! }, transaction);
      if (isOrdered) transaction.afterCommit.push(() => this.ending.nudge());
    }
  }

  /** The caller. Throws `unavailable` while their row has not arrived (HTTP-30), `user-disabled`. */
  async requireCaller(callerId: string): Promise<KnownUser> {
    const users = await this.find([callerId]);
    return checkCaller(users.get(callerId));
  }

  /**
   * The other user, whatever their status, for undoing what concerns them. Throws like `requireCaller`, and `not-found` for
   * unknown and deleted users.
   */
  async requireCallerAnd(callerId: string, otherId: string, transaction?: Transaction): Promise<KnownUser> {
    const users = await this.find([callerId, otherId], transaction);
    checkCaller(users.get(callerId));
    return this.check(otherId, users.get(otherId), ['active', 'suspended']);
  }

  /**
   * The access check of a subscription to `otherId`. The rows of both are locked until the end of the transaction: a state
   * that ends subscriptions comes before it and is seen, or after it and ends this one, too.
   */
  async lockCallerAnd(callerId: string, otherId: string, transaction: Transaction): Promise<KnownUser> {
    const users = await this.find([callerId, otherId], transaction, 'FOR SHARE');
    checkCaller(users.get(callerId));
    return this.check(otherId, users.get(otherId), ['active']);
  }

  private check(
    id: string,
    user: KnownUser | undefined,
    accepted: readonly KnownUser['status'][],
  ): KnownUser {
    if (!user && awaitsState(userTopic, id)) throw unavailable();
    if (!user || !accepted.includes(user.status)) throw userNotFound();
    return user;
  }

  private async find(
    ids: readonly string[],
    transaction?: Transaction,
    lock: 'FOR SHARE' | '' = '',
  ): Promise<Map<string, KnownUser>> {
    const rows = await (transaction?.manager ?? this.dataSource).query<KnownUser[]>(
      `SELECT id, status, is_coach AS "isCoach" FROM known_users WHERE id = ANY ($1::uuid[])
       ORDER BY id ${lock}`,
      [ids.filter(isId)],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}
