import { type OperationsServer, startOperationsServer } from '../health/operations-server.js';
import { createRegistry, gauge } from '../telemetry/metrics.js';
import { type Clock, systemClock } from '../time/clock.js';
import type { BackupBucket } from './backup-bucket.js';
import { timeOfName } from './backup-names.js';

/** Between two listings of the bucket, which cost money in some stores. */
const LISTED_MS = 5 * 60_000;

export interface BackupWatch {
  bucket: Pick<BackupBucket, 'times'>;
  services: readonly string[];
  /** 0 binds a free port. */
  port: number;
  host?: string;
  clock?: Clock;
}

/**
 * Shows on `/metrics` when the newest whole backup of each service began, 0 where there is none: the jobs themselves have ended before
 * anybody could read theirs. While the bucket cannot be listed the metric is missing.
 */
export async function watchBackups({
  bucket,
  services,
  port,
  host,
  clock = systemClock,
}: BackupWatch): Promise<OperationsServer> {
  const registry = createRegistry('backup');
  let listed: { at: number; newest: ReadonlyMap<string, number> } | undefined;
  const newest = async () => {
    if (!listed || clock.now() - listed.at >= LISTED_MS) listed = { at: clock.now(), newest: await list() };
    return listed.newest;
  };
  const list = async () => {
    const found = new Map<string, number>();
    for (const service of services) {
      const time = timeOfName((await bucket.times(service)).at(-1) ?? '');
      found.set(service, time ? time.getTime() / 1_000 : 0);
    }
    return found;
  };
  gauge(registry, {
    name: 'pulso_backup_newest_timestamp_seconds',
    help: 'When the newest whole backup of a service’s database began, in seconds since 1970; 0 if there is none',
    labelNames: ['database'],
    async collect() {
      for (const [database, seconds] of await newest()) this.set({ database }, seconds);
    },
  });
  const server = await startOperationsServer({ port, ...(host && { host }), checks: {}, registry });
  server.setReady(true);
  return server;
}
