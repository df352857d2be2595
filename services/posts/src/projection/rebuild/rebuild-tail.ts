import type { Logger } from '@pulso/platform/logging/logger';
import { ChangeTail } from '../../store/change-tail.js';
import type { PostsStore } from '../../store/posts-store.js';
import type { ProjectionName, RebuildRow } from './rebuild.schema.js';

/** Rebuilds are rare, and what they correct has been wrong for longer than this. */
const POLL_MS = 500;

/** Tells this process when a projection has been rebuilt, whichever replica got the last marker; until it has heard. */
export function rebuildTail(
  store: PostsStore,
  rebuilt: (name: ProjectionName) => Promise<void>,
  logger: Logger,
): ChangeTail<RebuildRow> {
  /** The newest finished run of each projection that was told of, by its row's id. */
  const told = new Map<ProjectionName, string>();
  const untold = new Map<ProjectionName, string>();
  /** Looks come faster than a big projection is taken over. */
  const telling = new Set<ProjectionName>();
  const tell = async (name: ProjectionName, id: string) => {
    if (telling.has(name)) return;
    telling.add(name);
    try {
      await rebuilt(name);
      if ((told.get(name) ?? '') < id) told.set(name, id);
      if (untold.get(name) === id) untold.delete(name);
    } catch (error) {
      logger.warn(
        { err: error, projection: name },
        'taking over a rebuilt projection failed, will be retried',
      );
    } finally {
      telling.delete(name);
    }
  };
  return new ChangeTail<RebuildRow>({
    collection: () => store.raw.rebuilds,
    fields: ['projection', 'finished'],
    // Called with every look at the store, also when nothing has changed.
    apply: (rows) => {
      for (const { _id, projection, finished } of rows) {
        if (finished && (told.get(projection) ?? '') < _id) untold.set(projection, _id);
      }
      for (const [name, id] of untold) void tell(name, id);
    },
    logger,
    fromNow: true,
    pollMs: POLL_MS,
  });
}
