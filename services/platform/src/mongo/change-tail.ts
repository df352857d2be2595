import { setTimeout } from 'node:timers/promises';
import { PollingLoop } from '../jobs/polling-loop.js';
import type { mongo } from 'mongoose';
import type { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';
import type { ChangeListener } from './change-signals.js';
import type { CollectionReads } from './collection.js';
import type { StoreClock } from './store-clock.js';

export interface ChangedDocument {
  _id: string;
  changedAt: Date;
}

export interface ChangeTailOptions<D extends ChangedDocument> {
  rows: Pick<CollectionReads<D>, 'find'>;
  /** The fields to read in addition to `_id` and `changedAt`. */
  fields: readonly Exclude<keyof D & string, '_id' | 'changedAt'>[];
  /** Must be idempotent by version: every document is passed many times. */
  apply(documents: D[], catchingUp: boolean): void;
  logger: Logger;
  registry?: Registry;
  storeClock: Pick<StoreClock, 'now' | 'steps'>;
  /** Called once, with the listener of what other replicas tell of their writes. */
  hear(listener: ChangeListener): void;
  /** Start with the newest change: earlier documents are read elsewhere on demand. */
  fromNow?: boolean;
  /**
   * For a tail `fromNow`: reads again what its owner holds of the collection. Called at the start, and regularly in place
   * of the reading of all documents.
   */
  reread?: () => Promise<void>;
  pageSize?: number;
  /** Ms between the pages of a reading of all documents. */
  rereadPauseMs?: number;
}

/**
 * Writes may become visible in another order than their `changedAt`, at most this much later: so each poll reads this
 * overlap again. While nothing changes the overlap shrinks, in the end to the newest millisecond.
 */
const OVERLAP_MS = 10_000;
/** While more than `MANY_CHANGES` documents change in OVERLAP_MS, the full overlap is read again only so often. */
const SHORT_OVERLAP_MS = 1_000;
const MANY_CHANGES = 200;
const FULL_EVERY_MS = 1_000;
/** The pause between polls while others cannot tell what they write, or the store fails; the shortest one while they do. */
const POLL_MS = 200;
/** The pause between polls that nobody asked for. It is how late a write is seen whose writer died before it told of it. */
const SWEEP_MS = 2_000;
const PAGE_SIZE = 1_000;
/** The tail is not current if a poll takes this long, or polls have failed for so long. */
const CURRENT_MS = 1_000;
/** A replica is not ready if its last successful poll is older than this. */
const STALE_MS = 5_000;
/** From the end of one reading of all documents to the start of the next: a million take some 8 minutes. */
const REREAD_MS = 10 * 60_000;
const REREAD_PAUSE_MS = 500;
/** Twenty million documents take less. */
const REREAD_LIMIT_MS = 6 * 60 * 60_000;

/**
 * Follows a collection by `changedAt`, which the store's clock sets with every change (docs/adr/0004): boot and
 * steady state are one query over the index (changedAt, _id). It polls when another replica tells that it has written,
 * and seldom by itself; this process's own writes are known without it.
 *
 * When the store's clock has gone back, changes get earlier times than those already read. The tail then starts over from
 * the new time, and while the clock is behind the newest change it reads the time around the clock. A slow reading of all
 * documents corrects what may still have been missed.
 */
export class ChangeTail<D extends ChangedDocument> {
  private highWater: number | undefined;
  /** When the high-water mark last rose or the store last failed, on this process's monotonic clock. */
  private quietSince = 0;
  private readonly polling: PollingLoop;
  private readonly rereading: PollingLoop;
  private readonly starting = new AbortController();
  private lastCount = 0;
  /** When the last poll began, the last one that has ended well, and the last one of those with the full overlap. */
  private polledAt = -Infinity;
  private freshAt = -Infinity;
  private fullAt = -Infinity;
  /** When the first poll began of those after the last one that has ended well. */
  private openSince: number | undefined;
  /** Other replicas tell of their writes. */
  private isTold = false;
  private stepsSeen = 0;

  constructor(private readonly options: ChangeTailOptions<D>) {
    const { logger, registry } = options;
    this.polling = new PollingLoop({
      name: 'following changes of the store',
      everyMs: SWEEP_MS,
      work: (stopping) => this.readChanges(stopping),
      logger,
      registry,
    });
    this.rereading = new PollingLoop({
      name: 'reading the store again',
      everyMs: REREAD_MS,
      work: (stopping) => this.readAgain(stopping),
      logger,
      ref: false,
      limitMs: REREAD_LIMIT_MS,
      registry,
    });
  }

  /** Reads all documents, then follows their changes. Resolves when caught up. */
  async start(): Promise<void> {
    // Before the first reading: what is told later must not be missed.
    this.options.hear({
      changed: () => this.pollSoon(),
      lost: () => {
        this.isTold = false;
        this.pollSoon();
      },
      resumed: () => {
        this.isTold = true;
        this.pollSoon();
      },
    });
    if (this.options.fromNow) {
      this.highWater = await this.newest();
      this.quietSince = performance.now();
      await this.options.reread?.();
    }
    // Not as a pass, which has a limit: the store may be large.
    await this.readChanges(this.starting.signal);
    this.starting.signal.throwIfAborted();
    this.polling.start();
    this.rereading.start();
    // Of what was told since the reading began.
    this.pollSoon();
  }

  async stop(): Promise<void> {
    this.starting.abort();
    await Promise.all([this.polling.stop(), this.rereading.stop()]);
  }

  /** Throws if the last successful poll is too old. */
  assertFresh(): void {
    if (performance.now() - this.freshAt > STALE_MS)
      throw new Error('changes of the store are not being followed');
  }

  /** Whether all that others have told was read, or is being read and they told it a moment ago. */
  isCurrent(): boolean {
    if (this.freshAt === -Infinity) return false;
    return this.openSince === undefined || performance.now() - this.openSince < CURRENT_MS;
  }

  /** Reads the changes since the last poll. */
  poll(): Promise<void> {
    return this.polling.pass();
  }

  /** Reads all documents, slowly: corrects whatever the polls may have missed. */
  reread(): Promise<void> {
    return this.rereading.pass();
  }

  /** Polls at once, unless the last poll began a moment ago: many writes cost one poll. */
  private pollSoon(): void {
    this.polling.within(Math.max(0, this.polledAt + POLL_MS - performance.now()));
  }

  private async readChanges(stopping: AbortSignal): Promise<void> {
    let complete = false;
    this.polledAt = performance.now();
    this.openSince ??= this.polledAt;
    try {
      complete = await this.readPages(stopping);
    } finally {
      if (complete) this.openSince = undefined;
      // Earlier writes may become visible only after the store has recovered.
      else this.quietSince = performance.now();
      if (!complete || !this.isTold) this.polling.within(POLL_MS);
    }
  }

  /** Returns false if it was stopped before the end: the next pass goes on from there. */
  private async readPages(stopping: AbortSignal): Promise<boolean> {
    const { apply, storeClock } = this.options;
    const started = performance.now();
    const storeNow = await storeClock.now();
    const { length: stepsKnown } = storeClock.steps;
    const steps = storeClock.steps.slice(this.stepsSeen);
    const catchingUp = this.highWater === undefined;
    const highWater = this.highWater ?? 0;
    // The overlap must not shrink while changes get times before the high-water mark.
    if (highWater > storeNow || steps.length > 0) this.quietSince = started;
    const isMany = this.lastCount > MANY_CHANGES;
    const full = steps.length > 0 || !isMany || started - this.fullAt >= FULL_EVERY_MS;
    // Until the last poll: what has become visible since then may be as much older as any write may be.
    const quietMs = Math.max(0, this.freshAt - this.quietSince);
    const overlapMs = Math.max(0, (full ? OVERLAP_MS : SHORT_OVERLAP_MS) - quietMs);
    let from = catchingUp ? 0 : Math.min(highWater, storeNow, ...steps) - overlapMs;
    // Later changes are those of a clock that was ahead; they have been read.
    const until = highWater > storeNow + OVERLAP_MS ? storeNow + OVERLAP_MS : undefined;
    let size = this.options.pageSize ?? PAGE_SIZE;
    let count = 0;
    for (;;) {
      const page = await this.readPage(from, until, size);
      apply(page, catchingUp);
      count += page.length;
      const last = page.at(-1)?.changedAt.getTime();
      if (last !== undefined && last > (this.highWater ?? 0)) {
        this.highWater = last;
        this.quietSince = started;
      }
      // Another pass may have read on meanwhile: what this one knows of the end is older.
      if (stopping.aborted) return false;
      if (page.length < size || last === undefined) break;
      // The next page starts with this page's last millisecond; if one millisecond fills a page, a longer page is needed.
      if (last === from) size *= 2;
      from = last;
    }
    if (full) {
      this.lastCount = count;
      this.fullAt = started;
    }
    this.highWater ??= 0;
    this.stepsSeen = stepsKnown;
    this.freshAt = started;
    return true;
  }

  private async readAgain(stopping: AbortSignal): Promise<void> {
    const { apply, fromNow, pageSize = PAGE_SIZE, reread, rereadPauseMs = REREAD_PAUSE_MS } = this.options;
    if (fromNow) return reread?.();
    for (let after = ''; !stopping.aborted;) {
      const page = await this.read({ _id: { $gt: after } }, { _id: 1 }, pageSize);
      apply(page, false);
      if (page.length < pageSize) return;
      after = page.at(-1)!._id;
      await this.pause(rereadPauseMs, stopping);
    }
  }

  private async pause(ms: number, stopping: AbortSignal): Promise<void> {
    try {
      await setTimeout(ms, undefined, { signal: stopping, ref: false });
    } catch (error) {
      if (!stopping.aborted) throw error;
    }
  }

  private async newest(): Promise<number> {
    const [newest] = await this.options.rows.find(changedBetween<D>(0, undefined), {
      projection: { changedAt: 1 },
      sort: { changedAt: -1, _id: -1 },
      limit: 1,
    });
    return newest?.changedAt.getTime() ?? 0;
  }

  private readPage(from: number, until: number | undefined, limit: number): Promise<D[]> {
    return this.read(changedBetween<D>(from, until), { changedAt: 1, _id: 1 }, limit);
  }

  private read(filter: object, sort: Readonly<Record<string, 1>>, limit: number): Promise<D[]> {
    const { rows, fields } = this.options;
    const projection = Object.fromEntries(
      ['_id', 'changedAt', ...fields].map((field) => [field, 1 as const]),
    );
    return rows.find(filter as mongo.Filter<D>, { projection, sort, limit });
  }
}

function changedBetween<D>(from: number, until: number | undefined): mongo.Filter<D> {
  const within = { $gte: new Date(from), ...(until === undefined ? {} : { $lte: new Date(until) }) };
  return { changedAt: within } as object as mongo.Filter<D>;
}
