import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { UserRef } from '@pulso/contracts/common/v1/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { DELETED_USER_NAME } from '@pulso/contracts/user-status';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { UserProjection, type UserRow } from '@pulso/platform/mongo/user-projection';
import { knownAmong } from '@pulso/platform/memory/known-among';
import { SignalledCache } from '@pulso/platform/memory/signalled-cache';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';
import { UserRows } from './user.schema.js';

/** Some 400 bytes each. */
const REMEMBERED_USERS = 50_000;

/** Messaging's projection of users, which nearly every call asks; each process remembers them while signals are heard. */
@Injectable()
export class KnownUsers extends UserProjection<UserRow> implements OnModuleDestroy {
  private readonly known: SignalledCache<UserRow>;

  constructor(rows: UserRows, rebuilds: Rebuilds, signals: Signals, clock: Clock) {
    super(rows, rebuilds);
    this.known = new SignalledCache(signals, clock, { name: 'messaging.users', most: REMEMBERED_USERS });
  }

  onModuleDestroy(): void {
    this.known.end();
  }

  async get(ids: Iterable<string>): Promise<ReadonlyMap<string, UserRow>> {
    const { found, missing } = knownAmong(ids, (id) => this.known.get(id));
    if (missing.length === 0) return found;
    const keep = this.known.reading();
    for (const [id, row] of await this.stored(missing)) {
      keep(id, row);
      found.set(id, row);
    }
    return found;
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

  /** Whoever waits for a version reads the user anew once it is there. */
  override async versionOf(id: string): Promise<number | undefined> {
    const version = await super.versionOf(id);
    this.known.forget(id);
    return version;
  }

  protected rebuilt(): void {
    this.known.clear();
  }
}

/** The user as others see them. Of a deleted one only the id is left (MSG-11, ACCT-36). */
export function userRefOf({ _id: id, status, name, username, profileImageId, isCoach }: UserRow): UserRef {
  if (status === 'deleted') {
    return { id, name: DELETED_USER_NAME, username: '', profileImageId: '', isCoach: false };
  }
  return { id, name, username, profileImageId, isCoach };
}
