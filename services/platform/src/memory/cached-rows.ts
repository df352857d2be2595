import { randomUUID } from 'node:crypto';
import { type ConsistencyToken, currentContext } from '../context/request-context.js';
import { KnownTokens } from '../events/known-tokens.js';
import type { Commits } from '../events/outbox/commits.js';
import type { Signals } from '../signals/signals.js';
import type { Clock } from '../time/clock.js';
import { growingCache } from '../collections/growing-cache.js';
import { knownAmong } from './known-among.js';

/** How long an answer is kept that no signal takes back: others see a write within this time, also if its signal is lost (HTTP-3). */
const KEPT_MS = 1_000;
const MAX_ANSWERS = 5_000;
const MAX_CHANGES = 20_000;
const EVERY_ROW = '*';

export interface CachedRowsOptions {
  /** Names these rows in signals; no other service has rows of this name. */
  name: string;
  /** Of all replicas of the service. */
  signals: Signals;
  /** The rows that the state of a consistency token is a part of, as their readers name them; none for one of other topics. */
  rowsOf(token: ConsistencyToken): readonly string[];
  /** Of a service that publishes such states: rows are changed by its commits, and no repository has to tell of them. */
  commits?: Pick<Commits, 'onCommit'>;
  /** The service's: answers age by what passes on it. */
  clock: Pick<Clock, 'elapsed'>;
  /** At most so many answers are kept: 5,000 unless given. */
  most?: number;
}

/** How values of many keys are read, such as users by their ids. */
export interface ReadOfMany<V extends object> {
  /** The name of a key's answer: different from those of all other readings. */
  nameOf(key: string): string;
  /** The rows that the answer of a key is made of. */
  rowsOf(key: string): readonly string[];
  /** The values of these keys from the store; what it leaves out is not kept. */
  load(keys: readonly string[]): Promise<ReadonlyMap<string, V>>;
  /** Whether what was read is still so, where that depends on the time; always unless given. */
  holds?(value: V): boolean;
}

interface Kept {
  value: unknown;
  rows: readonly string[];
  /** The last change that this process had noticed when the reading began. */
  readAt: number;
  until: number;
}

/**
 * What a service's own store has said, kept for the next requests: the one way to remember rows that another process of the
 * service may change. An answer names the rows that it was made of, and is not
 * used any more:
 *
 * - once this process has changed one of them: by a commit of `commits`, or by `changed`, called after any other commit, such
 *   as that of a projection;
 * - once a signal tells that another replica has;
 * - by a request whose consistency token names a row and was not seen here before: its write is newer than what is kept;
 * - after 1 s;
 * - while signals are lost, and after they come again.
 *
 * An answer whose reading began before a change is not used after it, so a slow read cannot bring an old state back. What
 * decides about a write is to be read from the store.
 *
 * The second passes on the service's clock, as for all that a service does after a time: in a suite it ends when the suite says
 * so, and not in the middle of a slow test. `elapsed` and not `now`, as a machine's time may be set back.
 */
export class CachedRows {
  private readonly answers;
  /** The number of each row's latest change, the latest one last. */
  private readonly changes = new Map<string, number>();
  private readonly seen = new KnownTokens();
  private readonly prefix: string;
  private readonly sender = randomUUID();
  private readonly stopListening: () => void;
  /** The number of the latest change. */
  private latest = 0;
  /** Nothing that was read before this change is used. */
  private floor = 0;
  private hears = false;

  constructor(private readonly options: CachedRowsOptions) {
    options.commits?.onCommit((token) => this.committed(token));
    this.answers = growingCache<string, Kept>(options.most ?? MAX_ANSWERS);
    this.prefix = `row:${options.name}:`;
    this.stopListening = options.signals.listen({
      heard: (channel) => this.heard(channel),
      lost: () => (this.hears = false),
      resumed: () => {
        this.hears = true;
        this.forgetAll();
      },
    });
  }

  /**
   * The answer `name`: the kept one if it holds, else the one that `load` reads. `rowsOf` names the rows that it is made of,
   * or is undefined for one that is not to be kept; an undefined answer never is. Rejects with the error of `load`.
   */
  async read<V extends object>(
    name: string,
    rowsOf: (value: V) => readonly string[] | undefined,
    load: () => Promise<V | undefined>,
  ): Promise<V | undefined> {
    if (!this.isUsable()) return load();
    const kept = this.find(name);
    if (kept) return kept as V;
    const keep = this.reading();
    const value = await load();
    const rows = value && rowsOf(value);
    if (rows) keep(name, value, rows);
    return value;
  }

  /** The same for many keys, each once: those without an answer that holds are read together. */
  async readMany<V extends object>(
    keys: Iterable<string>,
    { nameOf, rowsOf, load, holds = () => true }: ReadOfMany<V>,
  ): Promise<Map<string, V>> {
    const isUsable = this.isUsable();
    const { found, missing } = knownAmong(keys, (key) => {
      const kept = isUsable ? (this.find(nameOf(key)) as V | undefined) : undefined;
      return kept && holds(kept) ? kept : undefined;
    });
    if (missing.length === 0) return found;
    const keep = this.reading();
    for (const [key, value] of await load(missing)) {
      found.set(key, value);
      if (isUsable) keep(nameOf(key), value, rowsOf(key));
    }
    return found;
  }

  /** Call it after the commit of a change of these rows. Other replicas hear of it, too. */
  changed(...rows: readonly string[]): void {
    for (const row of rows) {
      this.drop(row);
      this.options.signals.send(`${this.prefix}${this.sender}:${row}`);
    }
  }

  /** The same for a change of unknown rows. */
  allChanged(): void {
    this.changed(EVERY_ROW);
  }

  /** Hears no more signals, and keeps nothing from then on. */
  close(): void {
    this.stopListening();
    this.hears = false;
  }

  /** This process alone forgets what it has read: another one told it in another way that much has changed. */
  forgetAll(): void {
    this.drop(EVERY_ROW);
  }

  private isUsable(): boolean {
    return this.hears && this.seesItsWrites();
  }

  /** Takes back what is older than the caller's writes. False if the store does not show them yet either: then nothing is kept. */
  private seesItsWrites(): boolean {
    const context = currentContext();
    for (const token of context?.after ?? []) {
      const rows = this.options.rowsOf(token);
      if (rows.length === 0 || this.seen.has(token)) continue;
      if (context?.stale) return false;
      for (const row of rows) this.drop(row);
      this.seen.add(token);
    }
    return true;
  }

  private committed(token: ConsistencyToken): void {
    const rows = this.options.rowsOf(token);
    if (rows.length === 0) return;
    this.changed(...rows);
    // What is kept from now on has it.
    this.seen.add(token);
  }

  /** The answer that is kept, if it holds. */
  private find(name: string): unknown {
    // `peek` does not note the use, which would cost more than the look: what is kept is read again soon.
    const kept = this.answers.peek(name);
    if (!kept || kept.readAt < this.floor || kept.until <= this.options.clock.elapsed()) return undefined;
    for (const row of kept.rows) if ((this.changes.get(row) ?? 0) > kept.readAt) return undefined;
    return kept.value;
  }

  /** Call it before the store is read: the state may change right after it. */
  private reading(): (name: string, value: object, rows: readonly string[]) => void {
    const readAt = this.latest;
    const until = this.options.clock.elapsed() + KEPT_MS;
    return (name, value, rows) => this.answers.set(name, { value, rows, readAt, until });
  }

  private heard(channel: string): void {
    if (!channel.startsWith(this.prefix)) return;
    const [sender, row] = splitOnce(channel.slice(this.prefix.length));
    if (sender !== this.sender) this.drop(row);
  }

  private drop(row: string): void {
    this.latest += 1;
    if (row === EVERY_ROW) {
      this.floor = this.latest;
      this.changes.clear();
      return;
    }
    // Behind all others: the first one is the one that changed longest ago.
    this.changes.delete(row);
    this.changes.set(row, this.latest);
    if (this.changes.size <= MAX_CHANGES) return;
    const [forgotten, change] = this.changes.entries().next().value!;
    this.changes.delete(forgotten);
    this.floor = Math.max(this.floor, change);
  }
}

function splitOnce(text: string): [string, string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}
