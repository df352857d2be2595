import { Injectable } from '@nestjs/common';
import { BatchedReads } from '@pulso/platform/concurrency/batched-reads';
import { ChangeTails } from '@pulso/platform/mongo/change-tails';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { growingCache } from '@pulso/platform/collections/growing-cache';
import { type ViewerRow, ViewerRows } from './viewer.schema.js';

export interface Viewer {
  readonly id: string;
  readonly graphVersion: number;
  readonly likeVersion: number;
}

const REMEMBERED_VIEWERS = 100_000;
const REREAD_AT_ONCE = 1_000;

/**
 * The counters that validate what is cached of a viewer. This rule keeps them right in races and crashes: a writer
 * bumps the counter AFTER the rows are written and BEFORE the change is acknowledged (to the caller, or to the bus,
 * which delivers again after a crash). A reader reads the counter BEFORE the rows and caches them under that value.
 * So what is cached under the newest counter contains every acknowledged change.
 *
 * Counters only grow. This process knows its own bumps at once, and those of other replicas by the change tail, which
 * they wake (FEED-7); while the tail cannot read the store, the cache is not trusted. A viewer's own writes do not wait for the tail: the consistency tokens in
 * `Pulso-After` cover them, see `LikeReads` and `KnownRelations`.
 */
@Injectable()
export class Viewers {
  private readonly known = growingCache<string, Viewer>(REMEMBERED_VIEWERS);
  private readonly reads: BatchedReads<Viewer>;
  private readonly tail: ReturnType<ChangeTails['watch']>;

  constructor(
    private readonly rows: ViewerRows,
    tails: ChangeTails,
  ) {
    this.reads = new BatchedReads(async (ids) => this.readAll(ids));
    this.tail = tails.watch<ViewerRow>(rows, {
      fields: ['graphVersion', 'likeVersion'],
      apply: (changed) => this.refresh(changed),
      fromNow: true,
      reread: () => this.reread(),
    });
  }

  /** The viewer's counters; a promise only when they must be loaded. */
  read(id: string): Viewer | Promise<Viewer> {
    const known = this.known.peek(id);
    return known && this.tail.isCurrent() ? known : this.load(id);
  }

  /** Applies rows changed recently by any replica. */
  refresh(rows: readonly ViewerRow[]): void {
    for (const row of rows) if (this.known.peek(row._id)) this.remember(viewerOf(row));
  }

  async graphChanged(id: string): Promise<void> {
    await this.bump(id, 'graphVersion');
  }

  async likesChanged(id: string): Promise<void> {
    await this.bump(id, 'likeVersion');
  }

  /** Reads again all counters that are kept in memory. */
  private async reread(): Promise<void> {
    const ids = [...this.known.keys()];
    for (let from = 0; from < ids.length; from += REREAD_AT_ONCE) {
      for (const viewer of (await this.readAll(ids.slice(from, from + REREAD_AT_ONCE))).values()) {
        this.remember(viewer);
      }
    }
  }

  private async bump(id: string, counter: 'graphVersion' | 'likeVersion'): Promise<void> {
    const increment = () =>
      this.rows.raw.findOneAndUpdate(
        { _id: id },
        { $inc: { [counter]: 1 }, $currentDate: { changedAt: true } },
        { upsert: true, returnDocument: 'after' },
      );
    let row: ViewerRow | null;
    try {
      row = await increment();
    } catch (error) {
      // Two concurrent first changes: the other one has created the row.
      if (!isDuplicateKey(error)) throw error;
      row = await increment();
    }
    this.rows.changed();
    // Also for a viewer that is not cached: a read in progress may return the previous counters.
    if (row) this.remember(viewerOf(row));
  }

  private async load(id: string): Promise<Viewer> {
    return this.remember((await this.reads.read(id)) ?? { id, graphVersion: 0, likeVersion: 0 });
  }

  /** Keeps the newest counters, in whatever order reads, bumps and the tail arrive. */
  private remember(viewer: Viewer): Viewer {
    const { id } = viewer;
    const known = this.known.peek(id);
    const newest = {
      id,
      graphVersion: Math.max(viewer.graphVersion, known?.graphVersion ?? 0),
      likeVersion: Math.max(viewer.likeVersion, known?.likeVersion ?? 0),
    };
    this.known.set(id, newest);
    return newest;
  }

  private async readAll(ids: string[]): Promise<Map<string, Viewer>> {
    const rows = await this.rows.find({ _id: { $in: ids } }, { limit: ids.length });
    return new Map(rows.map((row) => [row._id, viewerOf(row)]));
  }
}

function viewerOf({ _id, graphVersion, likeVersion }: ViewerRow): Viewer {
  return { id: _id, graphVersion: graphVersion ?? 0, likeVersion: likeVersion ?? 0 };
}
