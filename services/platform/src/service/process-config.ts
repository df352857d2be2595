import { z } from 'zod';
import { type KafkaConfig, kafkaConfigSchema } from '../events/kafka/kafka-config.js';
import { loadConfig } from '../process/load-config.js';
import {
  listenerSettings,
  type ProcessSettings,
  processSettings,
  rpcServerSettings,
} from '../process/process-settings.js';
import { redisSettings } from '../redis/redis-url.js';
import type { ServiceDefinition } from './define-service.js';
import type { WorkerDefinition } from './define-worker.js';
import { type ServiceSettings, serviceShape, storeShape, toServiceSettings } from './service-settings.js';
import { toWorkerSettings, type WorkerSettings, workerShape } from './worker-settings.js';

type RpcServerSettings = z.output<z.ZodObject<typeof rpcServerSettings>>;

type RedisSettings = z.output<z.ZodObject<typeof redisSettings>>;

type ListenerSettings = z.output<z.ZodObject<typeof listenerSettings>>;

/** Those of Redis are set where the service sends signals or has queues, those of a listener where it has one. */
export interface ServiceProcessConfig
  extends ProcessSettings, RpcServerSettings, KafkaConfig, Partial<RedisSettings>, Partial<ListenerSettings> {
  service: ServiceSettings;
}

export interface WorkerProcessConfig extends ProcessSettings, RedisSettings {
  worker: WorkerSettings;
}

/** The schema of everything that a service's own process reads, by the settings' names in the environment. */
export function serviceProcessShape(definition: ServiceDefinition): z.ZodRawShape {
  const usesRedis = definition.signals || definition.queues.length > 0;
  return {
    ...kafkaConfigSchema.shape,
    ...processSettings,
    ...rpcServerSettings,
    ...serviceShape(definition),
    ...(usesRedis && redisSettings),
    ...(definition.listener && listenerSettings),
  };
}

/** The schema of everything that a worker's own process reads, by the settings' names in the environment. */
export const workerProcessShape = (definition: WorkerDefinition): z.ZodRawShape => ({
  ...processSettings,
  ...redisSettings,
  ...workerShape(definition),
});

/** The schema of everything that `migrate` reads, by the settings' names in the environment. */
export const migrationShape = (definition: ServiceDefinition): z.ZodRawShape => ({
  ...storeShape(definition),
  ...definition.prepares?.shape,
});

/** What `migrate` reads, without making anything. Throws ConfigError. */
export const readMigration = (definition: ServiceDefinition, env: NodeJS.ProcessEnv) =>
  loadConfig(z.object(migrationShape(definition)), env);

/** Throws ConfigError, whose one message names every wrong setting. */
export function readServiceProcess(
  definition: ServiceDefinition,
  env: NodeJS.ProcessEnv,
): ServiceProcessConfig {
  const values = loadConfig(z.object(serviceProcessShape(definition)), env);
  // The cast is safe: each of the types above is the output of a schema in the shape.
  const common = values as Omit<ServiceProcessConfig, 'service'>;
  return { ...common, service: toServiceSettings(definition, values) };
}

/** Throws ConfigError, whose one message names every wrong setting. */
export function readWorkerProcess(definition: WorkerDefinition, env: NodeJS.ProcessEnv): WorkerProcessConfig {
  const values = loadConfig(z.object(workerProcessShape(definition)), env);
  const common = values as Omit<WorkerProcessConfig, 'worker'>;
  return { ...common, worker: toWorkerSettings(definition, values) };
}
