import { Injectable } from '@nestjs/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userStatusOf } from '@pulso/contracts/user-status';
import type { Author } from '@pulso/contracts/posts/v1/posts';
import { userTopic } from '@pulso/contracts/topics/identity';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ChangeTails } from '@pulso/platform/mongo/change-tails';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { LRUCache } from 'lru-cache';
import { type UserRow, UserRows } from './user.schema.js';

/** A cached user; a newer version replaces the whole object. */
export interface KnownUser {
  readonly version: number;
  readonly status: UserRow['status'];
  readonly isCoach: boolean;
  /** The user as the author of posts and comments; shared by all responses. */
  readonly author: Author;
}

const REMEMBERED_USERS = 50_000;

/** Posts' projection of users. The cache is never stale: the consumer and the change tail replace its entries. */
@Injectable()
export class KnownUsers extends ProjectedRows<UserState, UserRow> {
  readonly topic = userTopic;
  private readonly known = new LRUCache<string, KnownUser>({ max: REMEMBERED_USERS });
  private generation = 0;

  constructor(rows: UserRows, rebuilds: Rebuilds, tails: ChangeTails) {
    super(rows, rebuilds);
    tails.follow<UserRow>(rows, {
      fields: [
        ...(['status', 'name', 'username', 'profileImageId', 'isCoach'] as const),
        ...(['subscriptionPriceMinor', 'subscriptionCurrency', 'version'] as const),
      ],
      apply: (changed) => this.refresh(changed),
      fromNow: true,
    });
  }

  /** The user if cached: enough for most reads, and without a promise. */
  peek(id: string): KnownUser | undefined {
    return this.known.peek(id);
  }

  /** Users by id, without those that the projection doesn't hold. */
  async get(ids: Iterable<string>): Promise<ReadonlyMap<string, KnownUser>> {
    const found = new Map<string, KnownUser>();
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      const user = this.known.get(id);
      if (user) found.set(id, user);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    const { generation } = this;
    const rows = await this.rows.find({ _id: { $in: missing } }, { limit: missing.length });
    for (const row of rows) {
      if (generation === this.generation) this.remember(row);
      found.set(row._id, this.known.peek(row._id) ?? knownUser(row));
    }
    return found;
  }

  /** The user, or undefined when the projection doesn't hold them. */
  async find(id: string): Promise<KnownUser | undefined> {
    return this.known.get(id) ?? (await this.get([id])).get(id);
  }

  /**
   * The caller's own row. Throws `unavailable` while it has not arrived (HTTP-30: never a 403), `user-disabled` for a
   * suspended or deleted account whose token has not expired yet.
   */
  async requireActive(id: string): Promise<KnownUser> {
    const user = await this.find(id);
    if (!user) throw unavailable();
    if (user.status !== 'active') throw userDisabled();
    return user;
  }

  /** The stored version of a user; also updates the cache to it. */
  override async versionOf(id: string): Promise<number | undefined> {
    const row = await this.rows.findOne({ _id: id });
    if (row) this.refresh([row]);
    return row?.version;
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
      subscriptionPriceMinor: state.subscriptionPriceMinor ?? null,
      subscriptionCurrency: state.subscriptionCurrency,
    };
  }

  /** Also caches users that were not cached: a read in progress may return the previous state. */
  protected async written({ id }: UserState): Promise<void> {
    this.remember(await this.rows.findOne({ _id: id }));
  }

  /** The rows may have older versions than before the rebuild. */
  protected rebuilt(): void {
    this.generation += 1;
    this.known.clear();
  }

  /** Updates the cache with rows changed recently by any replica. */
  private refresh(rows: readonly UserRow[]): void {
    for (const row of rows) if (this.known.peek(row._id)) this.remember(row);
  }

  private remember(row: UserRow | null): void {
    if (!row || (this.known.peek(row._id)?.version ?? 0) >= row.version) return;
    this.known.set(row._id, knownUser(row));
  }
}

function knownUser(row: UserRow): KnownUser {
  return { version: row.version, status: row.status, isCoach: row.isCoach, author: authorOf(row) };
}

function authorOf(row: UserRow): Author {
  if (row.status === 'deleted') {
    const nobody = { username: '', profileImageId: '', isCoach: false, subscriptionCurrency: '' };
    return { id: row._id, name: 'Deleted user', ...nobody };
  }
  return {
    id: row._id,
    name: row.name,
    username: row.username,
    profileImageId: row.profileImageId,
    isCoach: row.isCoach,
    subscriptionPriceMinor: row.subscriptionPriceMinor ?? undefined,
    subscriptionCurrency: row.subscriptionCurrency,
  };
}
