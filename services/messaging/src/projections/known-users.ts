import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { UserRef } from '@pulso/contracts/common/v1/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { DELETED_USER_NAME } from '@pulso/contracts/user-status';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { UserProjection, type UserRow } from '@pulso/platform/mongo/user-projection';
import { CachedRows, type ReadOfMany } from '@pulso/platform/memory/cached-rows';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';
import { UserRows } from './user.schema.js';

/** Some 400 bytes each. */
const REMEMBERED_USERS = 50_000;

/** Messaging's projection of users, which nearly every call asks; each process remembers them while signals are heard. */
@Injectable()
export class KnownUsers extends UserProjection<UserRow> implements OnModuleDestroy {
  private readonly known: CachedRows;
  private readonly byId: ReadOfMany<UserRow> = {
    nameOf: (id) => id,
    rowsOf: (id) => [id],
    load: (ids) => this.stored(ids),
  };

  constructor(rows: UserRows, rebuilds: Rebuilds, signals: Signals, clock: Clock) {
    super(rows, rebuilds);
    this.known = new CachedRows({
      name: 'messaging.users',
      signals,
      clock,
      rowsOf: ({ topic, key }) => (topic === userTopic.name ? [key] : []),
      most: REMEMBERED_USERS,
    });
  }

  onModuleDestroy(): void {
    this.known.close();
  }

  get(ids: Iterable<string>): Promise<ReadonlyMap<string, UserRow>> {
    return this.known.readMany(ids, this.byId);
  }

  /** The same as the store has them now, for what is sent away and cannot be corrected. */
  async stored(ids: readonly string[]): Promise<ReadonlyMap<string, UserRow>> {
    const rows = await this.rows.find({ _id: { $in: [...ids] } }, { limit: ids.length });
    return new Map(rows.map((row) => [row._id, row]));
  }

  /** As the store has it now: what is remembered may lack a deletion that another process has just stored. */
  async isDeleted(id: string): Promise<boolean> {
    const row = await this.rows.findOne({ _id: id }, { projection: { status: 1 } });
    return row?.status === 'deleted';
  }

  override async apply(state: UserState, event: EventRecord): Promise<boolean> {
    const isShown = await super.apply(state, event);
    this.known.changed(event.key);
    return isShown;
  }

  protected rebuilt(): void {
    this.known.forgetAll();
  }
}

/** The user as others see them. Of a deleted one only the id is left (MSG-11, ACCT-36). */
export function userRefOf({ _id: id, status, name, username, profileImageId, isCoach }: UserRow): UserRef {
  if (status === 'deleted') {
    return { id, name: DELETED_USER_NAME, username: '', profileImageId: '', isCoach: false };
  }
  return { id, name, username, profileImageId, isCoach };
}
