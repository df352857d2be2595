import { Injectable } from '@nestjs/common';
import type { UserRef } from '@pulso/contracts/common/v1/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import type { EventRecord, RepublishEnd } from '@pulso/platform/events/event-bus';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectionStore } from '@pulso/platform/postgres/projection-table';
import { statement } from '@pulso/platform/postgres/statements';
import { UserProjection } from '@pulso/platform/postgres/user-projection';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { toUserRef, type UserRefRow, userRefColumns } from '../store/user-ref.js';
import { SocialRows } from '../store/social-rows.js';

const SHOWN = statement<UserRefRow>(
  'known-users.shown',
  `SELECT ${userRefColumns('known_users')} FROM known_users WHERE id = $1`,
);

/**
 * Social's projection of users. A suspension, a deletion and the end of a suspension change the figures of all whom the user
 * follows or is followed by (PEOPLE-38), so after each state of a user what is kept of figures is read anew; the row does not
 * tell which status was there before, and states of users are rare beside readings.
 */
@Injectable()
export class KnownUsers extends UserProjection {
  constructor(
    store: ProjectionStore,
    private readonly kept: SocialRows,
  ) {
    super(store);
  }

  /** The user as shown beside what they have written. Throws `unavailable` while their state has not arrived. */
  async shown(id: string, transaction: Transaction): Promise<UserRef> {
    const [row] = await transaction.rows(SHOWN, [id]);
    if (!row) throw unavailable();
    return toUserRef(id, row);
  }

  override async apply(state: UserState, event: EventRecord): Promise<boolean> {
    const isShown = await super.apply(state, event);
    this.kept.allChanged();
    return isShown;
  }

  /** A rebuild may have removed users. */
  override async republishEnded(end: RepublishEnd): Promise<void> {
    await super.republishEnded(end);
    this.kept.allChanged();
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
}
