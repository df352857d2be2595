import { Injectable } from '@nestjs/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { DELETED_USER_NAME } from '@pulso/contracts/user-status';
import type { Author } from '@pulso/contracts/posts/v1/posts';
import { ChangeTails } from '@pulso/platform/mongo/change-tails';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { UserProjection } from '@pulso/platform/mongo/user-projection';
import { growingCache } from '@pulso/platform/collections/growing-cache';
import { knownAmong } from '@pulso/platform/memory/known-among';
import { HiddenAuthors } from './hidden-authors.js';
import { type PriceRow, PriceRows } from './price.schema.js';
import { type UserRow, UserRows } from './user.schema.js';

/** A cached user; a newer version replaces the whole object. */
export interface KnownUser {
  readonly version: number;
  readonly status: UserRow['status'];
  readonly isCoach: boolean;
  /** Undefined while it has not been read, which is so of hidden users alone. */
  readonly price: KnownPrice | undefined;
  /** The user as the author of posts and comments; shared by all responses. */
  readonly author: Author;
}

type KnownPrice = Pick<PriceRow, 'version' | 'priceMinor' | 'currency'>;

const NO_PRICE: KnownPrice = { version: 0, priceMinor: null, currency: '' };
const NO_PRICE_SHOWN = { subscriptionPriceMinor: undefined, subscriptionCurrency: '' };
const REMEMBERED_USERS = 50_000;
const REREAD_AT_ONCE = 1_000;

/**
 * Posts' projection of users, which also joins their prices. The cache is never stale: the consumers and the change tails
 * replace its entries.
 */
@Injectable()
export class KnownUsers extends UserProjection<UserRow, KnownUser> {
  private readonly known = growingCache<string, KnownUser>(REMEMBERED_USERS);
  private generation = 0;
  private readonly listeners: ((userId: string) => Promise<void>)[] = [];

  constructor(
    rows: UserRows,
    rebuilds: Rebuilds,
    tails: ChangeTails,
    private readonly hiddenAuthors: HiddenAuthors,
    private readonly prices: PriceRows,
  ) {
    super(rows, rebuilds);
    tails.watch<UserRow>(rows, {
      fields: [...(['status', 'name', 'username', 'profileImageId', 'isCoach', 'version'] as const)],
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
    const { found, missing } = knownAmong(ids, (id) => this.known.get(id));
    if (missing.length === 0) return found;
    const { generation } = this;
    for (const [row, price] of await this.read(missing)) {
      if (generation === this.generation) this.remember(row, price);
      found.set(row._id, this.known.peek(row._id) ?? knownUser(row, price));
    }
    return found;
  }

  /** Takes over prices of cached users, whichever replica wrote them. */
  pricesChanged(rows: readonly PriceRow[]): void {
    for (const row of rows) this.takePrice(row._id, row);
  }

  /** Reads a user with the price and caches them, also one who was not cached: a read in progress may return the previous state. */
  async readAgain(id: string): Promise<void> {
    for (const [row, price] of await this.read([id])) this.remember(row, price);
  }

  /** Empties the cache: rows may have older versions than before. */
  forgetAll(): void {
    this.generation += 1;
    this.known.clear();
  }

  /**
   * The active users whom these usernames lead to at the time `now`, by username: those who have the name, else who gave it up
   * and still holds it (PEOPLE-9). Read from the store: names are not cached.
   */
  async named(usernames: readonly string[], now: number): Promise<ReadonlyMap<string, string>> {
    const users = new Map(await this.withUsername(usernames));
    const others = usernames.filter((username) => !users.has(username));
    for (const [username, id] of await this.withFormerUsername(others, now)) users.set(username, id);
    return users;
  }

  private async withUsername(usernames: readonly string[]): Promise<[username: string, id: string][]> {
    if (usernames.length === 0) return [];
    const rows = await this.rows.find(
      { username: { $in: [...usernames] }, status: 'active' },
      { projection: { username: 1, version: 1 } },
    );
    // While a name passes from one user to another, both may have it here: the later state has it.
    rows.sort((a, b) => a.version - b.version);
    return rows.map(({ _id, username }) => [username, _id]);
  }

  private async withFormerUsername(
    usernames: readonly string[],
    now: number,
  ): Promise<[username: string, id: string][]> {
    if (usernames.length === 0) return [];
    const rows = await this.rows.find(
      { 'formerUsernames.username': { $in: [...usernames] }, status: 'active' },
      { projection: { formerUsernames: 1, version: 1 } },
    );
    rows.sort((a, b) => a.version - b.version);
    return rows.flatMap(({ _id, formerUsernames = [] }) =>
      formerUsernames
        .filter(({ username, until }) => until > now && usernames.includes(username))
        .map(({ username }): [string, string] => [username, _id]),
    );
  }

  /** The user, or undefined when the projection doesn't hold them. */
  async find(id: string): Promise<KnownUser | undefined> {
    return this.known.get(id) ?? (await this.get([id])).get(id);
  }

  /** The stored version of a user; also updates the cache to it. */
  override async versionOf(id: string): Promise<number | undefined> {
    const row = await this.rows.findOne({ _id: id });
    if (row) this.refresh([row]);
    return row?.version;
  }

  protected override fieldsOf(state: UserState) {
    return {
      ...super.fieldsOf(state),
      formerUsernames: state.formerUsernames.map(({ username, until }) => ({ username, until })),
      subscriptionCurrency: '',
    };
  }

  protected override async written({ id }: UserState): Promise<void> {
    const wasHidden = this.hiddenAuthors.has(id);
    await this.readAgain(id);
    if (!wasHidden && !this.hiddenAuthors.has(id)) return;
    for (const listener of this.listeners) await listener(id);
  }

  /** The rows may have older versions than before the rebuild. */
  protected rebuilt(): Promise<void> {
    this.forgetAll();
    return this.hiddenAuthors.reload();
  }

  /** Reads again all that is kept in memory. */
  private async reread(): Promise<void> {
    await this.hiddenAuthors.reload();
    const ids = [...this.known.keys()];
    for (let from = 0; from < ids.length; from += REREAD_AT_ONCE) {
      const some = ids.slice(from, from + REREAD_AT_ONCE);
      for (const [row, price] of await this.read(some)) this.remember(row, price);
    }
  }

  /** The rows of users, each with the price. */
  private async read(ids: readonly string[]): Promise<[UserRow, KnownPrice][]> {
    const [filter, options] = [{ _id: { $in: [...ids] } }, { limit: ids.length }];
    const [users, prices] = await Promise.all([
      this.rows.find(filter, options),
      this.prices.find(filter, options),
    ]);
    const priceOf = new Map(prices.map((price) => [price._id, price]));
    return users.map((user) => [user, priceOf.get(user._id) ?? NO_PRICE]);
  }

  /** Updates the cache and the hidden authors with rows changed recently by any replica. */
  private refresh(rows: readonly UserRow[]): void {
    for (const row of rows) {
      const kept = this.known.peek(row._id) !== undefined || this.hiddenAuthors.has(row._id);
      if (kept || row.status !== 'active') this.remember(row);
    }
  }

  /** Of the user and of the price, the newer of what is cached and what is given. */
  private remember(row: UserRow, price?: KnownPrice): void {
    if (price) this.takePrice(row._id, price);
    const before = this.known.peek(row._id);
    if ((before?.version ?? 0) >= row.version) return;
    const known = knownUser(row, before?.price ?? price);
    // An active user is read together with the price, by the next who asks for them.
    if (known.price === undefined && row.status === 'active') this.known.delete(row._id);
    else this.known.set(row._id, known);
    this.hiddenAuthors.note(row);
  }

  private takePrice(id: string, price: KnownPrice): void {
    const user = this.known.peek(id);
    if (user && (user.price?.version ?? -1) < price.version) this.known.set(id, withPrice(user, price));
  }
}

function knownUser(row: UserRow, price: KnownPrice | undefined): KnownUser {
  const { version, status, isCoach } = row;
  const user: KnownUser = { version, status, isCoach, price: undefined, author: authorOf(row) };
  return price ? withPrice(user, price) : user;
}

function withPrice(user: KnownUser, { version, priceMinor, currency }: KnownPrice): KnownUser {
  const price: KnownPrice = { version, priceMinor, currency };
  const isShown = priceMinor !== null && user.status !== 'deleted';
  const shown = isShown
    ? { subscriptionPriceMinor: priceMinor, subscriptionCurrency: currency }
    : NO_PRICE_SHOWN;
  return { ...user, price, author: { ...user.author, ...shown } };
}

/** Without the price. */
function authorOf(row: UserRow): Author {
  const { _id: id, name, username, profileImageId, isCoach } = row;
  if (row.status === 'deleted') {
    const gone = { name: DELETED_USER_NAME, username: '', profileImageId: '', isCoach: false };
    return { id, ...gone, ...NO_PRICE_SHOWN };
  }
  return { id, name, username, profileImageId, isCoach, ...NO_PRICE_SHOWN };
}
