import type { Logger } from '../logging/logger.js';
import type { RebuildRow } from './rebuilds.js';

/**
 * What takes the rows of rebuilds that a tail has read, and has each newly finished one taken over: until that has
 * succeeded, once at a time. Called with every look at the store, also when nothing has changed.
 */
export function takeOverFinished(
  takeOver: (projection: string) => Promise<void>,
  logger: Logger,
): (rows: readonly Pick<RebuildRow, '_id' | 'projection' | 'finished'>[]) => void {
  /** The newest finished run of each projection that was taken over, by its row's id. */
  const done = new Map<string, string>();
  const waiting = new Map<string, string>();
  /** Looks come faster than a big projection is taken over. */
  const underWay = new Set<string>();
  const run = async (projection: string, id: string) => {
    if (underWay.has(projection)) return;
    underWay.add(projection);
    try {
      await takeOver(projection);
      if ((done.get(projection) ?? '') < id) done.set(projection, id);
      if (waiting.get(projection) === id) waiting.delete(projection);
    } catch (error) {
      logger.warn({ err: error, projection }, 'taking over a rebuilt projection failed, will be retried');
    } finally {
      underWay.delete(projection);
    }
  };
  return (rows) => {
    for (const { _id, projection, finished } of rows) {
      if (finished && (done.get(projection) ?? '') < _id) waiting.set(projection, _id);
    }
    for (const [projection, id] of waiting) void run(projection, id);
  };
}
