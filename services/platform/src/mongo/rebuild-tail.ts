import type { Logger } from '../logging/logger.js';
import type { RebuildRow } from './rebuilds.js';

/**
 * Returns a function that takes the rebuild rows of each poll of a tail. It calls `takeOver` for each newly finished
 * rebuild until the call succeeds, one call at a time per projection. It must be called with every poll, also if nothing
 * has changed.
 */
export function takeOverFinished(
  takeOver: (projection: string) => Promise<void>,
  logger: Logger,
): (rows: readonly Pick<RebuildRow, '_id' | 'projection' | 'finished'>[]) => void {
  /** By projection: the row id of the newest finished run that was taken over. */
  const done = new Map<string, string>();
  const waiting = new Map<string, string>();
  /** The take-over of a big projection takes longer than the time between two polls. */
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
