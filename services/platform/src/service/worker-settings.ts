import { z } from 'zod';
import { settingsFrom } from '../process/settings.js';
import { loadConfig } from '../process/load-config.js';
import type { WorkerDefinition } from './define-worker.js';
import { storeShape, storeTargetOf } from './service-settings.js';
import type { StoreTarget } from './store.js';

/** The settings that a worker has in every deployment profile. */
export interface WorkerSettings {
  /** The worker's own settings: an instance of its settings class. */
  own: object;
  store: StoreTarget;
}

/** The schema of everything that the worker reads in any profile, by the settings' names in the environment. */
export const workerShape = ({ service, settings }: WorkerDefinition): z.ZodRawShape => ({
  ...storeShape(service),
  ...settings.shape,
});

/** Throws ConfigError with the name of each wrong setting. */
export function readWorkerSettings(definition: WorkerDefinition, env: NodeJS.ProcessEnv): WorkerSettings {
  return toWorkerSettings(definition, loadConfig(z.object(workerShape(definition)), env));
}

/** The same, from values that were read with `workerShape`. */
export function toWorkerSettings(
  { service, settings }: WorkerDefinition,
  values: Record<string, unknown>,
): WorkerSettings {
  return { own: settingsFrom(settings, values), store: storeTargetOf(service, values) };
}
