import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import {
  listenerSettings,
  processSettings,
  rpcServerSettings,
} from '@pulso/platform/process/process-settings';
import { redisSettings } from '@pulso/platform/redis/redis-url';
import { serviceShape } from '@pulso/platform/service/service-settings';
import { workerShape } from '@pulso/platform/service/worker-settings';
import { SERVICES } from './services.js';
import { WORKERS } from './workers.js';

/**
 * The names of all settings that the process of a service or a worker reads from its environment.
 *
 * @internal for suites and `start:cluster`
 */
export const SERVICE_SETTING_NAMES: ReadonlySet<string> = new Set(
  [
    kafkaConfigSchema.shape,
    processSettings,
    rpcServerSettings,
    listenerSettings,
    redisSettings,
    ...Object.values(SERVICES).map((definition) => serviceShape(definition)),
    ...Object.values(WORKERS).map((definition) => workerShape(definition)),
  ].flatMap((shape) => Object.keys(shape)),
);
