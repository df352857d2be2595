import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import type { RepublishEnd } from '../events/event-bus.js';
import { isStaleRun, REFUSED_RUN } from '../events/republish.js';
import { Logger } from '../logging/logger.js';
import { databaseTime } from './database-time.js';

const REMEMBERED_RUNS = 100;

/** A republication that rebuilds a projection. */
export interface Run {
  run: string;
  /** When it began, by the database's clock. It is text, which keeps the microseconds. */
  openedAt: string;
}

/** The republications that are rebuilding projections. Kept in the database: a run's markers may reach different replicas. */
@Injectable()
export class Rebuilds {
  private readonly openings = new LRUCache<string, string>({ max: REMEMBERED_RUNS });

  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
  ) {}

  /**
   * Idempotent: the first start marker of any partition begins the run. A stale run (started over 1 h ago) or one that is
   * older than a known run is ignored: existing rows may already hold events that follow it, and its end would remove them.
   * A run of the future is ignored, too: it would keep out those that follow it. The states of an ignored run are applied
   * as ordinary events, and its end does nothing.
   */
  async begin(projection: string, run: string): Promise<void> {
    if (!isStaleRun(run, await databaseTime(this.dataSource))) {
      await this.dataSource.query(
        `INSERT INTO projection_rebuilds (projection, run) SELECT $1, $2::uuid
         WHERE NOT EXISTS (SELECT FROM projection_rebuilds WHERE projection = $1 AND run > $2::uuid)
         ON CONFLICT DO NOTHING`,
        [projection, run],
      );
    }
    if (!(await this.find(projection, run))) this.logger.warn({ projection, run }, REFUSED_RUN);
  }

  /** Resolves to undefined if the run has not begun, or a later run has finished. */
  async find(projection: string, run: string): Promise<Run | undefined> {
    const name = `${projection}/${run}`;
    const known = this.openings.get(name);
    if (known !== undefined) return { run, openedAt: known };
    const [row] = await this.dataSource.query<{ opened_at: string }[]>(
      'SELECT opened_at::text FROM projection_rebuilds WHERE projection = $1 AND run = $2',
      [projection, run],
    );
    if (!row) return undefined;
    this.openings.set(name, row.opened_at);
    return { run, openedAt: row.opened_at };
  }

  /** Records a partition's end. Resolves to the run if all ends have arrived, also on repeated calls. */
  async partitionEnded(
    projection: string,
    { run, partition, partitions }: RepublishEnd,
  ): Promise<Run | undefined> {
    const [[row]] = await this.dataSource.query<[{ opened_at: string; ended: number }[], number]>(
      `UPDATE projection_rebuilds SET ended = ARRAY(SELECT DISTINCT unnest(ended || $3::integer))
       WHERE projection = $1 AND run = $2 RETURNING opened_at::text, cardinality(ended) AS ended`,
      [projection, run, partition],
    );
    return row && row.ended >= partitions ? { run, openedAt: row.opened_at } : undefined;
  }

  /** Removes earlier runs, which this run has replaced. */
  async finish(projection: string, run: string, manager: EntityManager): Promise<void> {
    await manager.query('DELETE FROM projection_rebuilds WHERE projection = $1 AND run < $2', [
      projection,
      run,
    ]);
  }
}
