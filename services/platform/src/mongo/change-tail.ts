import { PollingLoop } from '../jobs/polling-loop.js';
import type { mongo } from 'mongoose';
import type { Logger } from '../logging/logger.js';
import type { CollectionReads } from './collection.js';

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
  /** Start with the newest change: earlier documents are read elsewhere on demand. */
  fromNow?: boolean;
  pollMs?: number;
  pageSize?: number;
}

/**
 * Writes may become visible in another order than their `changedAt`, at most this much later: so each poll reads this
 * overlap again. While nothing changes the overlap shrinks, in the end to the newest millisecond.
 */
const OVERLAP_MS = 10_000;
/** While more than `BUSY` documents change in OVERLAP_MS, the full overlap is read again only once a second. */
const SHORT_OVERLAP_MS = 1_000;
const BUSY = 200;
const FULL_EVERY = 5;
const POLL_MS = 200;
const PAGE_SIZE = 1_000;
/** A replica is not ready if its last successful poll is older than this. */
const STALE_MS = 5_000;

/**
 * Follows a collection by `changedAt`, which the store's clock sets with every change (docs/adr/0004): boot and
 * steady state are one query over the index (changedAt, _id).
 */
export class ChangeTail<D extends ChangedDocument> {
  private highWater: number | undefined;
  /** When the high-water mark last rose or the store last failed, on this process's monotonic clock. */
  private quietSince = 0;
  private readonly polling: PollingLoop;
  private passes = 0;
  private lastCount = 0;
  private freshAt = -Infinity;

  constructor(private readonly options: ChangeTailOptions<D>) {
    const { logger, pollMs = POLL_MS } = options;
    this.polling = new PollingLoop({
      name: 'following changes of the store',
      everyMs: pollMs,
      work: () => this.readChanges(),
      logger,
    });
  }

  /** Reads all documents, then follows their changes. Resolves when caught up. */
  async start(): Promise<void> {
    if (this.options.fromNow) {
      this.highWater = await this.newest();
      this.quietSince = performance.now();
    }
    await this.poll();
    this.polling.start();
  }

  async stop(): Promise<void> {
    await this.polling.stop();
  }

  /** Throws if the last successful poll is too old. */
  assertFresh(): void {
    if (performance.now() - this.freshAt > STALE_MS)
      throw new Error('changes of the store are not being followed');
  }

  /** Reads the changes since the last poll. */
  poll(): Promise<void> {
    return this.polling.pass();
  }

  private async readChanges(): Promise<void> {
    try {
      await this.readPages();
    } catch (error) {
      // Earlier writes may become visible only after the store has recovered.
      this.quietSince = performance.now();
      throw error;
    }
  }

  private async readPages(): Promise<void> {
    const { apply } = this.options;
    const started = performance.now();
    const catchingUp = this.highWater === undefined;
    const full = this.lastCount <= BUSY || this.passes++ % FULL_EVERY === 0;
    const quietMs = started - this.quietSince;
    const overlapMs = Math.max(0, (full ? OVERLAP_MS : SHORT_OVERLAP_MS) - quietMs);
    let from = catchingUp ? 0 : this.highWater! - overlapMs;
    let size = this.options.pageSize ?? PAGE_SIZE;
    let count = 0;
    for (;;) {
      const page = await this.readPage(from, size);
      apply(page, catchingUp);
      count += page.length;
      const last = page.at(-1)?.changedAt.getTime();
      if (last !== undefined && last > (this.highWater ?? 0)) {
        this.highWater = last;
        this.quietSince = started;
      }
      if (page.length < size || last === undefined) break;
      // The next page starts with this page's last millisecond; if one millisecond fills a page, a longer page is needed.
      if (last === from) size *= 2;
      from = last;
    }
    if (full) this.lastCount = count;
    this.highWater ??= 0;
    this.freshAt = started;
  }

  private async newest(): Promise<number> {
    const [newest] = await this.options.rows.find(changedSince<D>(0), {
      projection: { changedAt: 1 },
      sort: { changedAt: -1, _id: -1 },
      limit: 1,
    });
    return newest?.changedAt.getTime() ?? 0;
  }

  private readPage(from: number, limit: number): Promise<D[]> {
    const { rows, fields } = this.options;
    const projection = Object.fromEntries(
      ['_id', 'changedAt', ...fields].map((field) => [field, 1 as const]),
    );
    return rows.find(changedSince<D>(from), { projection, sort: { changedAt: 1, _id: 1 }, limit });
  }
}

const changedSince = <D>(time: number) =>
  ({ changedAt: { $gte: new Date(time) } }) as object as mongo.Filter<D>;
