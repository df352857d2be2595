import { UserStatus, type UserState } from '@pulso/contracts/identity/v1/events';
import type { Author } from '@pulso/contracts/posts/v1/posts';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { LRUCache } from 'lru-cache';
import type { PostsStore } from '../store/posts-store.js';
import { READ_BUDGET_MS } from '../store/queries.js';
import type { ProjectedRows } from './rebuild/projected-rows.js';
import type { UserRow } from './user.schema.js';

/** A user as the process remembers them; replaced as a whole by a newer version. */
export interface KnownUser {
  readonly version: number;
  readonly status: UserRow['status'];
  readonly isCoach: boolean;
  /** As it stands on posts and comments; shared by all answers. */
  readonly author: Author;
}

const REMEMBERED_USERS = 50_000;

/** Posts' projection of users: never stale, since what is remembered is replaced by the consumer and by the tail. */
export class Users {
  private readonly known = new LRUCache<string, KnownUser>({ max: REMEMBERED_USERS });

  private generation = 0;

  constructor(
    private readonly store: PostsStore,
    private readonly rows: ProjectedRows,
  ) {}

  /** Idempotent by version. Throws for an id that is none of ours. */
  async apply(state: UserState, event: EventRecord): Promise<void> {
    const { id } = state;
    if (!isId(id)) throw new Error(`${id} is no user's id`);
    const isNews = await this.rows.write(event, {
      status: statusOf(state),
      name: state.name,
      username: state.username,
      profileImageId: state.profileImageId,
      isCoach: state.isCoach,
      subscriptionPriceMinor: state.subscriptionPriceMinor ?? null,
      subscriptionCurrency: state.subscriptionCurrency,
    });
    // Also a user not remembered yet: a read under way may come back with what was before.
    if (isNews) this.remember(await this.read(id));
  }

  /** Forgets all users: their rows have been rebuilt, and may be of an older version than they claimed before. */
  forgetAll(): void {
    this.generation += 1;
    this.known.clear();
  }

  /** Rows that have changed lately, by anyone. */
  refresh(rows: readonly UserRow[]): void {
    for (const row of rows) if (this.known.peek(row._id)) this.remember(row);
  }

  /** The user if they are remembered: what most reads need, without a promise. */
  peek(id: string): KnownUser | undefined {
    return this.known.peek(id);
  }

  /** Users by id; those the projection doesn't hold are missing. */
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
    const rows = (await this.store.raw.users
      .find({ _id: { $in: missing } }, { maxTimeMS: READ_BUDGET_MS })
      .limit(missing.length)
      .toArray()) as unknown as UserRow[];
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
   * The caller's own row. Throws `unavailable` while it has not arrived (never a 403: design.md), `user-disabled` for
   * a suspended or deleted account whose token has not run out yet.
   */
  async requireActive(id: string): Promise<KnownUser> {
    const user = await this.find(id);
    if (!user) throw unavailable();
    if (user.status !== 'active') {
      throw new DomainError('user-disabled', 'This account has been disabled.');
    }
    return user;
  }

  /** The version held of a user, from the store; what was remembered is brought up to it. */
  async versionOf(id: string): Promise<number | undefined> {
    const row = await this.read(id);
    if (row) this.refresh([row]);
    return row?.version;
  }

  private async read(id: string): Promise<UserRow | null> {
    return this.store.users.findOne({ _id: id }).maxTimeMS(READ_BUDGET_MS).lean<UserRow>();
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

function statusOf({ status }: UserState): UserRow['status'] {
  switch (status) {
    case UserStatus.USER_STATUS_ACTIVE:
      return 'active';
    case UserStatus.USER_STATUS_SUSPENDED:
      return 'suspended';
    case UserStatus.USER_STATUS_DELETED:
      return 'deleted';
    case UserStatus.USER_STATUS_UNSPECIFIED:
    case UserStatus.UNRECOGNIZED:
      throw new Error(`a user state without a known status: ${status}`);
  }
}
