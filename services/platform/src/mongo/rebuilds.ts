import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Schema } from 'mongoose';
import type { RepublishEnd } from '../events/event-bus.js';
import { isStaleRun, REFUSED_RUN } from '../events/republish.js';
import { Logger } from '../logging/logger.js';
import { ChangeTails } from './change-tails.js';
import { collection } from './collection.js';
import { isDuplicateKey } from './queries.js';
import { takeOverFinished } from './rebuild-tail.js';
import { SCHEMA_OPTIONS } from './schema-options.js';
import { StoreClock } from './store-clock.js';

/** The progress of a republication in rebuilding a projection, shared by all replicas. */
export interface RebuildRow {
  /** `<projection>/<run>`, so that ids sort by the start of their runs. */
  _id: string;
  /** The projection's collection. */
  projection: string;
  /** When the first start marker of any partition arrived, by the store's clock. */
  openedAt: Date;
  /** The partitions whose end marker has arrived. */
  ended: number[];
  /** The projection equals the owner's states; processes must drop what they cached before. */
  finished: boolean;
  /** The time of the last change by the store's clock, which replicas' tails follow. */
  changedAt: Date;
}

const rebuildSchema = new Schema<RebuildRow>(
  {
    _id: { type: String, required: true },
    projection: { type: String, required: true },
    openedAt: Date,
    ended: { type: [Number], required: true },
    finished: { type: Boolean, required: true },
    changedAt: Date,
  },
  SCHEMA_OPTIONS,
);
rebuildSchema.index({ changedAt: 1, _id: 1 });

export class RebuildRows extends collection<RebuildRow>({ name: 'rebuilds', schema: rebuildSchema }) {}

const REMEMBERED_RUNS = 100;

/** The republications that are rebuilding projections. Kept in the store: a run's markers may reach different replicas. */
@Injectable()
export class Rebuilds {
  private readonly openings = new LRUCache<string, Date>({ max: REMEMBERED_RUNS });
  private readonly takeOvers = new Map<string, () => Promise<void> | void>();

  constructor(
    private readonly rows: RebuildRows,
    private readonly tails: ChangeTails,
    private readonly logger: Logger,
    readonly storeClock: StoreClock,
  ) {}

  /**
   * `takeOver` is called when the projection has been rebuilt, whichever replica got the last marker: this process's cache
   * of it may be wrong.
   */
  onRebuilt(projection: string, takeOver: () => Promise<void> | void): void {
    if (this.takeOvers.size === 0) {
      const apply = takeOverFinished(async (name) => this.takeOvers.get(name)?.(), this.logger);
      this.tails.watch<RebuildRow>(this.rows, {
        fields: ['projection', 'finished'],
        apply,
        fromNow: true,
      });
    }
    this.takeOvers.set(projection, takeOver);
  }

  /**
   * Idempotent: the first start marker of any partition begins the run. A stale run (started over 1 h ago) or one that is
   * older than a known run is ignored: existing rows may already hold events that follow it, and its end would remove them.
   * The states of an ignored run are applied as ordinary events, and its end does nothing.
   */
  async begin(projection: string, run: string): Promise<void> {
    const later = { projection, _id: { $gt: idOf(projection, run) } };
    const isStale = isStaleRun(run, await this.storeClock.now());
    if (!isStale && !(await this.rows.findOne(later))) await this.insert(projection, run);
    if (!(await this.openedAt(projection, run))) this.logger.warn({ projection, run }, REFUSED_RUN);
  }

  private async insert(projection: string, run: string): Promise<void> {
    try {
      // An update, because only updates can use the store's clock. If the run has begun already, it matches nothing.
      await this.rows.raw.updateOne(
        { _id: idOf(projection, run), projection: { $ne: projection } },
        {
          $set: { projection, ended: [], finished: false },
          $currentDate: { openedAt: true, changedAt: true },
        },
        { upsert: true },
      );
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** When a run began; undefined if it has not begun, or a later run has finished. */
  async openedAt(projection: string, run: string): Promise<Date | undefined> {
    const _id = idOf(projection, run);
    const known = this.openings.get(_id);
    if (known) return known;
    const row = await this.rows.findOne({ _id });
    if (row) this.openings.set(_id, row.openedAt);
    return row?.openedAt;
  }

  /** Whether a run that has not finished began after `time`, by the store's clock. */
  async hasBegunSince(projection: string, time: Date): Promise<boolean> {
    const ids = { $gt: idOf(projection, ''), $lt: idOf(projection, LAST) };
    const open = { _id: ids, finished: false, openedAt: { $gt: time } };
    return (await this.rows.findOne(open, { projection: { _id: 1 } })) !== null;
  }

  /** Records a partition's end. Resolves to the run if all ends have arrived, also on repeated calls. */
  async partitionEnded(
    projection: string,
    { run, partition, partitions }: RepublishEnd,
  ): Promise<RebuildRow | undefined> {
    const rebuild = await this.rows.raw.findOneAndUpdate(
      { _id: idOf(projection, run) },
      { $addToSet: { ended: partition } },
      { returnDocument: 'after' },
    );
    return rebuild && rebuild.ended.length >= partitions ? rebuild : undefined;
  }

  /** Notifies every replica, this one at once, and removes earlier runs, which this run has replaced. */
  async finish(projection: string, run: string): Promise<void> {
    const _id = idOf(projection, run);
    await this.rows.raw.updateOne({ _id }, { $set: { finished: true }, $currentDate: { changedAt: true } });
    this.rows.changed();
    await this.rows.raw.deleteMany({ _id: { $gt: idOf(projection, ''), $lt: _id } });
    await this.takeOvers.get(projection)?.();
  }
}

/** Sorts after the ids of all runs. */
const LAST = '~';
const idOf = (projection: string, run: string) => `${projection}/${run}`;
