import type { Pool } from 'pg';
import { untilLessThan } from '../../jobs/delete-in-batches.js';
import type { Clock } from '../../time/clock.js';
import { DEAD_LETTERS_KEPT_MS, EVENTS_KEPT_MS } from '../event-bus.js';
import { namedRows } from './named-rows.js';

const BATCH = 5_000;

export interface SweepOptions {
  pool: Pool;
  /** Decides what is old. */
  clock: Clock;
  /** The groups of this process, which are not forgotten. */
  groups: readonly string[];
  /** Ends the sweep after the batch that runs. */
  stopping: AbortSignal;
}

/**
 * Removes old dead letters, old events without deliveries or dead letters, and groups that have not run for 7 days with
 * their deliveries. In batches: ends early when `stopping` aborts.
 */
export async function sweepBus({ pool, clock, groups, stopping }: SweepOptions): Promise<void> {
  const now = clock.now();
  const before = new Date(now - EVENTS_KEPT_MS);
  /** `text` deletes up to `BATCH` rows and returns them. */
  const removeAll = (name: string, text: string, values: unknown[]) =>
    untilLessThan(BATCH, stopping, async () => (await namedRows(pool, name, text, values)).length);

  await namedRows(pool, 'bus-seen', 'UPDATE bus_subscriptions SET seen_at = $2 WHERE grp = ANY($1::text[])', [
    groups,
    new Date(now),
  ]);
  await namedRows(pool, 'bus-forget-groups', 'DELETE FROM bus_subscriptions WHERE seen_at < $1', [before]);
  await removeAll(
    'bus-forget-deliveries',
    `DELETE FROM bus_deliveries WHERE (seq, grp) IN (
       SELECT seq, grp FROM bus_deliveries d
       WHERE NOT EXISTS (SELECT FROM bus_subscriptions s WHERE s.grp = d.grp) LIMIT ${BATCH})
     RETURNING seq`,
    [],
  );
  await removeAll(
    'bus-forget-letters',
    `DELETE FROM bus_dead_letters WHERE (seq, grp) IN (
       SELECT seq, grp FROM bus_dead_letters WHERE failed_at < $1 LIMIT ${BATCH})
     RETURNING seq`,
    [new Date(now - DEAD_LETTERS_KEPT_MS)],
  );
  await removeAll(
    'bus-sweep',
    `DELETE FROM bus_events WHERE seq IN (
       SELECT seq FROM bus_events e WHERE published_at < $1
         AND NOT EXISTS (SELECT FROM bus_deliveries d WHERE d.seq = e.seq)
         AND NOT EXISTS (SELECT FROM bus_dead_letters l WHERE l.seq = e.seq)
       LIMIT ${BATCH})
     RETURNING seq`,
    [before],
  );
}
