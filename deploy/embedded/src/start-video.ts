import { StartError } from '@pulso/platform/process/start-error';
import { databaseUrlSetting } from '@pulso/platform/service/service-settings';
import { type RunningWorker, startWorker, type WorkerStart } from '@pulso/platform/service/start-worker';
import { readWorkerSettings } from '@pulso/platform/service/worker-settings';
import { WORKERS } from '@pulso/registry/workers';
import type { ObjectsPlace, PulsoOptions } from './compose-pulso.js';

const definition = WORKERS['media-video'];

/** The worker does one thing at a time, and the embedded PostgreSQL has few connections. */
const CONNECTIONS = 3;

/** The setting of the place of media's files. */
export function objectsEnvironment(objects: ObjectsPlace): Record<string, string> {
  if ('objectsUrl' in objects) return { MEDIA_OBJECTS_URL: objects.objectsUrl };
  return { MEDIA_OBJECTS_DIR: objects.objectsDirectory };
}

/** What the video worker reads besides the paths of its programs in `env`. */
export const videoEnvironment = ({
  databases,
  ...objects
}: Pick<PulsoOptions, 'databases'> & ObjectsPlace): Record<string, string> => ({
  [databaseUrlSetting(definition.service.name)]: databases.media,
  ...objectsEnvironment(objects),
});

/**
 * The video worker within this process; undefined where ffmpeg is missing, which one line of the log says: uploaded videos then wait for a start
 * with it. Throws ConfigError.
 */
export async function startVideo(
  options: Pick<PulsoOptions, 'databases' | 'env' | 'objectsDirectory'>,
  around: Omit<WorkerStart, 'settings'>,
): Promise<RunningWorker | undefined> {
  const { databases, objectsDirectory, env } = options;
  const made = videoEnvironment({ databases, objectsDirectory });
  const { own, store } = readWorkerSettings(definition, { ...env, ...made });
  const settings = { own, store: { ...store, pool: CONNECTIONS } };
  try {
    return await startWorker(definition, { ...around, settings });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    around.logger.warn(`videos are not prepared: ${error.message}`);
    return undefined;
  }
}
