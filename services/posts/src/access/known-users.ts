import { Injectable } from '@nestjs/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userStatusOf } from '@pulso/contracts/user-status';
import type { Author } from '@pulso/contracts/posts/v1/posts';
import { userTopic } from '@pulso/contracts/topics/identity';
import { checkCaller } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ChangeTails } from '@pulso/platform/mongo/change-tails';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { LRUCache } from 'lru-cache';
import { HiddenAuthors } from './hidden-authors.js';
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
const REREAD_AT_ONCE = 1_000;

/** Posts' projection of users. The cache is never stale: the consumer and the change tail replace its entries. */
@Injectable()
export class KnownUsers extends ProjectedRows<UserState, UserRow> {
  readonly topic = userTopic;
  private readonly known = new LRUCache<string, KnownUser>({ max: REMEMBERED_USERS });
  private generation = 0;
  private readonly listeners: ((userId: string) => Promise<void>)[] = [];

  constructor(
    rows: UserRows,
    rebuilds: Rebuilds,
    tails: ChangeTails,
    private readonly hiddenAuthors: HiddenAuthors,
  ) {
    super(rows, rebuilds);
    tails.follow<UserRow>(rows, {
      fields: [
        ...(['status', 'name', 'username', 'profileImageId', 'isCoach'] as const),
        ...(['subscriptionPriceMinor', 'subscriptionCurrency', 'version'] as const),
      ],
      apply: (changed) => this.refresh(changed),
      fromNow: true,
      reread: () => this.reread(),
    });
  }

  /**
   * `listener` runs with each user who is hidden, or was until now, when their row has been written; the event is handled
   * when it has ended.
   */
  onHiding(listener: (userId: string) => Promise<void>): void {
    this.listeners.push(listener);
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

  /** The active users of these usernames, by username. Read from the store: names are not cached. */
  async named(usernames: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (usernames.length === 0) return new Map();
    const rows = await this.rows.find(
      { username: { $in: [...usernames] }, status: 'active' },
      { projection: { username: 1, version: 1 } },
    );
    // While a name passes from one user to another, both may have it here: the later state has it.
    rows.sort((a, b) => a.version - b.version);
    return new Map(rows.map(({ _id, username }) => [username, _id]));
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
    return checkCaller(await this.find(id));
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
    const wasHidden = this.hiddenAuthors.has(id);
    this.remember(await this.rows.findOne({ _id: id }));
    if (!wasHidden && !this.hiddenAuthors.has(id)) return;
    for (const listener of this.listeners) await listener(id);
  }

  /** The rows may have older versions than before the rebuild. */
  protected rebuilt(): Promise<void> {
    this.generation += 1;
    this.known.clear();
    return this.hiddenAuthors.reload();
  }

  /** Reads again all that is kept in memory. */
  private async reread(): Promise<void> {
    await this.hiddenAuthors.reload();
    const ids = [...this.known.keys()];
    for (let from = 0; from < ids.length; from += REREAD_AT_ONCE) {
      const some = ids.slice(from, from + REREAD_AT_ONCE);
      this.refresh(await this.rows.find({ _id: { $in: some } }, { limit: some.length }));
    }
  }

  /** Updates the cache and the hidden authors with rows changed recently by any replica. */
  private refresh(rows: readonly UserRow[]): void {
    for (const row of rows) {
      const kept = this.known.peek(row._id) !== undefined || this.hiddenAuthors.has(row._id);
      if (kept || row.status !== 'active') this.remember(row);
    }
  }

  private remember(row: UserRow | null): void {
    if (!row || (this.known.peek(row._id)?.version ?? 0) >= row.version) return;
    this.known.set(row._id, knownUser(row));
    this.hiddenAuthors.note(row);
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
