import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import { loadConfig } from '../config/load-config.js';
import { assertKafkaReachable } from '../events/kafka/assert-reachable.js';
import { KafkaBus } from '../events/kafka/kafka-bus.js';
import { type KafkaConfig, kafkaConfigSchema } from '../events/kafka/kafka-config.js';
import type { OutboxRelay } from '../events/outbox.js';
import { type ReadinessCheck, startOperationsServer } from '../health/operations-server.js';
import type { Logger } from '../logging/logger.js';
import { type ProcessSettings, processSettings, rpcServerSettings } from '../process/process-settings.js';
import { type ProcessContext, runProcess } from '../process/run-process.js';
import { listenOrExplain } from '../start/listening.js';
import { gauge } from '../telemetry/metrics.js';
import type { ServiceDefinition } from './define-service.js';
import { type ServiceSettings, serviceShape, toServiceSettings } from './service-settings.js';
import { startService } from './start-service.js';

type RpcServerSettings = z.output<z.ZodObject<typeof rpcServerSettings>>;

interface ServiceProcessConfig extends ProcessSettings, RpcServerSettings, KafkaConfig {
  service: ServiceSettings;
}

/**
 * Runs a service in its own process: gRPC on RPC_PORT, events over Kafka, probes and metrics on OPERATIONS_PORT. It does
 * not migrate. On SIGTERM it stops being ready, finishes requests, relay and consumers, and ends.
 */
export function runService(definition: ServiceDefinition): Promise<void> {
  return runProcess<ServiceProcessConfig>({
    name: definition.name,
    readConfig: (env) => readProcessConfig(definition, env),
    start: (context) => startProcess(definition, context),
  });
}

function readProcessConfig(definition: ServiceDefinition, env: NodeJS.ProcessEnv): ServiceProcessConfig {
  const common = z.object({ ...kafkaConfigSchema.shape, ...processSettings, ...rpcServerSettings });
  // All settings are read at once, so that one message names every wrong setting.
  const values = loadConfig(common.and(z.object(serviceShape(definition))), env);
  return { ...values, service: toServiceSettings(definition, values) };
}

async function startProcess(
  definition: ServiceDefinition,
  { config, logger, registry, onStop }: ProcessContext<ServiceProcessConfig>,
): Promise<void> {
  // /healthz must answer while a large store is still being read; the checks are added after that.
  const checks: Record<string, ReadinessCheck> = {};
  const operations = await listenOrExplain({ OPERATIONS_PORT: config.OPERATIONS_PORT }, () =>
    startOperationsServer({ port: config.OPERATIONS_PORT, checks, registry }),
  );
  onStop(() => operations.close());
  await assertKafkaReachable(config, logger);
  await definition.store.assertReady(config.service.store);
  const publishes = definition.owns.map(({ name }) => name);
  const bus = new KafkaBus({ config, logger, registry, publishes });
  const transport = { kind: 'grpc', url: `${config.RPC_HOST}:${config.RPC_PORT}` } as const;
  // grpc-js would also print the errors that it rejects with.
  const quiet = process.env.GRPC_VERBOSITY === undefined;
  if (quiet) setLogVerbosity(logVerbosity.NONE);
  const service = await listenOrExplain(
    { RPC_PORT: config.RPC_PORT },
    () => startService(definition, { settings: config.service, transport, bus, logger, registry }),
    { RPC_HOST: config.RPC_HOST },
  );
  if (quiet) setLogVerbosity(logVerbosity.ERROR);
  onStop(() => service.close());
  // The bus stops after the last request and before the stores that handlers write to are closed.
  onStop(() => bus.stop());
  onStop(() => service.drain());
  await bus.start();
  showOutboxDepth(registry, service.relay, logger);
  Object.assign(checks, service.checks);
  operations.setReady(true);
  onStop(() => operations.setReady(false));
}

/** While the store is unreachable the depth is unknown, which Prometheus writes as NaN. */
function showOutboxDepth(registry: Registry, relay: OutboxRelay, logger: Logger): void {
  gauge(registry, {
    name: 'pulso_outbox_depth',
    help: 'Committed states that are not published yet',
    async collect() {
      try {
        this.set(await relay.depth());
      } catch (error) {
        logger.debug({ err: error }, 'reading the depth of the outbox failed');
        this.set(NaN);
      }
    },
  });
}
