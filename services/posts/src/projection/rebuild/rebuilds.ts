import type { RepublishEnd } from '@pulso/platform/events/event-bus';
import { LRUCache } from 'lru-cache';
import type { PostsStore } from '../../store/posts-store.js';
import { isDuplicateKey, READ_BUDGET_MS } from '../../store/queries.js';
import type { ProjectionName, RebuildRow } from './rebuild.schema.js';

const REMEMBERED_RUNS = 100;

/** Which republications are rebuilding projections, in the store: a run's markers may arrive at different replicas. */
export class Rebuilds {
  private readonly openings = new LRUCache<string, Date>({ max: REMEMBERED_RUNS });

  constructor(private readonly store: Pick<PostsStore, 'raw'>) {}

  /** Idempotent: the first start counts, of whichever partition. */
  async begin(projection: ProjectionName, run: string): Promise<void> {
    try {
      // An update, as only updates can take the store's own time; of a run that has begun it matches nothing.
      await this.store.raw.rebuilds.updateOne(
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

  /** When a run began; undefined when its start has not arrived, or a later run has finished since. */
  async openedAt(projection: ProjectionName, run: string): Promise<Date | undefined> {
    const _id = idOf(projection, run);
    const known = this.openings.get(_id);
    if (known) return known;
    const row = await this.store.raw.rebuilds.findOne({ _id }, { maxTimeMS: READ_BUDGET_MS });
    if (row) this.openings.set(_id, row.openedAt);
    return row?.openedAt;
  }

  /** Notes a partition's end. Answers the run once all have arrived, again when called again. */
  async partitionEnded(
    projection: ProjectionName,
    { run, partition, partitions }: RepublishEnd,
  ): Promise<RebuildRow | undefined> {
    const rebuild = await this.store.raw.rebuilds.findOneAndUpdate(
      { _id: idOf(projection, run) },
      { $addToSet: { ended: partition } },
      { returnDocument: 'after' },
    );
    return rebuild && rebuild.ended.length >= partitions ? rebuild : undefined;
  }

  /** Tells every replica, and forgets earlier runs: this one has done what they were for. */
  async finish(projection: ProjectionName, run: string): Promise<void> {
    const _id = idOf(projection, run);
    await this.store.raw.rebuilds.updateOne(
      { _id },
      { $set: { finished: true }, $currentDate: { changedAt: true } },
    );
    await this.store.raw.rebuilds.deleteMany({ _id: { $gt: idOf(projection, ''), $lt: _id } });
  }
}

const idOf = (projection: ProjectionName, run: string) => `${projection}/${run}`;
