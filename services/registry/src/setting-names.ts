import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { loadConfig } from '@pulso/platform/process/load-config';
import {
  migrationShape,
  readMigration,
  readServiceProcess,
  readWorkerProcess,
  serviceProcessShape,
  workerProcessShape,
} from '@pulso/platform/service/process-config';
import { SERVICES } from './services.js';
import { WORKERS } from './workers.js';

/** What a process reads from its environment. */
interface EnvironmentOfProcess {
  /** The schema of each setting, by its name. */
  shape: ReturnType<typeof serviceProcessShape>;
  /** As the process does it when it starts. Throws ConfigError. */
  read(env: NodeJS.ProcessEnv): object;
}

/**
 * All processes of this registry's services and workers, by name, and `topics`, which is the command that makes them.
 *
 * @internal for suites and the checks of deploy/kubernetes
 */
export const PROCESSES: Readonly<Record<string, EnvironmentOfProcess>> = {
  ...Object.fromEntries(
    Object.values(SERVICES).map((definition) => [
      definition.name,
      {
        shape: serviceProcessShape(definition),
        read: (env: NodeJS.ProcessEnv) => readServiceProcess(definition, env),
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.values(WORKERS).map((definition) => [
      definition.name,
      {
        shape: workerProcessShape(definition),
        read: (env: NodeJS.ProcessEnv) => readWorkerProcess(definition, env),
      },
    ]),
  ),
  topics: { shape: kafkaConfigSchema.shape, read: (env) => loadConfig(kafkaConfigSchema, env) },
};

/**
 * What `migrate` of each service reads, by the service.
 *
 * @internal for the checks of deploy/kubernetes
 */
export const MIGRATIONS = Object.fromEntries(
  SERVICE_NAMES.map((name) => [
    name,
    {
      shape: migrationShape(SERVICES[name]),
      read: (env: NodeJS.ProcessEnv) => readMigration(SERVICES[name], env),
    },
  ]),
) as Readonly<Record<ServiceName, EnvironmentOfProcess>>;

/**
 * The names of all settings that the process of a service or a worker reads from its environment.
 *
 * @internal for suites and `start:cluster`
 */
export const SERVICE_SETTING_NAMES: ReadonlySet<string> = new Set(
  Object.values(PROCESSES).flatMap(({ shape }) => Object.keys(shape)),
);
