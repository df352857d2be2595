import { randomUUID } from 'node:crypto';
import { type ConsistencyToken, currentContext } from '../context/request-context.js';
import { KnownTokens } from '../events/known-tokens.js';
import type { Signals } from '../signals/signals.js';
import { growingCache } from './growing-cache.js';

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
  /** The row that a consistency token is about, as its readers name it; undefined for one of other topics. */
  rowOf(token: ConsistencyToken): string | undefined;
  /** A clock of this process that never goes back, in ms. */
  elapsed?: () => number;
  /** At most so many answers are kept: 5,000 unless given. */
  most?: number;
}

interface Kept {
  value: unknown;
  rows: readonly string[];
  /** The last change that this process had noticed when the reading began. */
  readAt: number;
  until: number;
}

/**
 * What a service's own store has said, kept for the next requests. An answer names the rows that it was made of, and is not
 * used any more:
 *
 * - once this process has changed one of them (`changed`, called after the commit of a write or a projection);
 * - once a signal tells that another replica has;
 * - by a request whose consistency token names a row and was not seen here before: its write is newer than what is kept;
 * - after 1 s;
 * - while signals are lost, and after they come again.
 *
 * An answer whose reading began before a change is not used after it, so a slow read cannot bring an old state back. What
 * decides about a write is to be read from the store.
 */
export class CachedRows {
  private readonly answers;
  /** The number of each row's latest change, the latest one last. */
  private readonly changes = new Map<string, number>();
  private readonly seen = new KnownTokens();
  private readonly prefix: string;
  private readonly sender = randomUUID();
  private readonly elapsed: () => number;
  private readonly stopListening: () => void;
  /** The number of the latest change. */
  private latest = 0;
  /** Nothing that was read before this change is used. */
  private floor = 0;
  private hears = false;

  constructor(private readonly options: CachedRowsOptions) {
    this.answers = growingCache<string, Kept>(options.most ?? MAX_ANSWERS);
    this.prefix = `row:${options.name}:`;
    this.elapsed = options.elapsed ?? (() => performance.now());
    this.stopListening = options.signals.listen({
      heard: (channel) => this.heard(channel),
      lost: () => (this.hears = false),
      resumed: () => {
        this.hears = true;
        this.drop(EVERY_ROW);
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
    if (!this.hears || !this.seesItsWrites()) return load();
    const kept = this.answers.get(name);
    if (kept && this.holds(kept)) return kept.value as V;
    const readAt = this.latest;
    // Before the reading: the state may change right after it.
    const until = this.elapsed() + KEPT_MS;
    const value = await load();
    const rows = value && rowsOf(value);
    if (rows) this.answers.set(name, { value, rows, readAt, until });
    return value;
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

  /** Takes back what is older than the caller's writes. False if the store does not show them yet either: then nothing is kept. */
  private seesItsWrites(): boolean {
    const context = currentContext();
    for (const token of context?.after ?? []) {
      const row = this.options.rowOf(token);
      if (row === undefined || this.seen.has(token)) continue;
      if (context?.stale) return false;
      this.drop(row);
      this.seen.add(token);
    }
    return true;
  }

  private holds({ rows, readAt, until }: Kept): boolean {
    if (readAt < this.floor || until <= this.elapsed()) return false;
    return rows.every((row) => (this.changes.get(row) ?? 0) <= readAt);
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
