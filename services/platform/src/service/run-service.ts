import type { Registry } from 'prom-client';
import { assertKafkaReachable } from '../events/kafka/assert-reachable.js';
import { KafkaBus } from '../events/kafka/kafka-bus.js';
import type { OutboxRelay } from '../events/outbox/outbox.js';
import { type ReadinessCheck, startOperationsServer } from '../health/operations-server.js';
import { type ProcessContext, runProcess } from '../process/run-process.js';
import type { QueueBackend } from '../queue/queue-backend.js';
import { hostAndPort } from '../process/all-addresses.js';
import { listenOrExplain } from '../process/listening.js';
import { openSignals } from '../signals/open-signals.js';
import { gauge } from '../telemetry/metrics.js';
import type { ServiceDefinition } from './define-service.js';
import { readServiceProcess, type ServiceProcessConfig } from './process-config.js';
import { startService } from './start-service.js';

/**
 * Runs a service in its own process: rpcs on RPC_PORT, events over Kafka, probes and metrics on OPERATIONS_PORT. It does
 * not migrate. On SIGTERM it stops being ready, finishes requests, relay and consumers, and ends.
 */
export function runService(definition: ServiceDefinition): Promise<void> {
  return runProcess<ServiceProcessConfig>({
    name: definition.name,
    readConfig: (env) => readServiceProcess(definition, env),
    start: (context) => startProcess(definition, context),
  });
}

/** BullMQ is loaded only if it is used: otherwise loading it would take a tenth of the start. */
async function openQueues(url: string, context: ProcessContext<ServiceProcessConfig>): Promise<QueueBackend> {
  const queues = await import('../queue/open-queues.js');
  return queues.openQueues(url, context);
}

async function startProcess(
  definition: ServiceDefinition,
  context: ProcessContext<ServiceProcessConfig>,
): Promise<void> {
  const { config, logger, registry, onStop } = context;
  // /healthz must answer while a large store is still being read; the checks are added after that.
  const checks: Record<string, ReadinessCheck> = {};
  const operations = await listenOrExplain({ OPERATIONS_PORT: config.OPERATIONS_PORT }, () =>
    startOperationsServer({ port: config.OPERATIONS_PORT, checks, registry }),
  );
  onStop(() => operations.close());
  await assertKafkaReachable(config, logger);
  await definition.store.assertReady(config.service.store);
  const signals = definition.signals ? await openSignals(config.REDIS_URL!, context) : undefined;
  const publishes = definition.owns.map(({ name }) => name);
  const queues = definition.queues.length > 0 ? await openQueues(config.REDIS_URL!, context) : undefined;
  const bus = new KafkaBus({ config, logger, registry, publishes });
  const transport = { kind: 'connect', url: hostAndPort(config.RPC_HOST, config.RPC_PORT) } as const;
  const { BYTES_PORT } = config;
  const bytes = BYTES_PORT === undefined ? undefined : { port: BYTES_PORT, host: config.RPC_HOST };
  const service = await listenOrExplain(
    { RPC_PORT: config.RPC_PORT, ...(bytes && { BYTES_PORT: bytes.port }) },
    () =>
      startService(definition, {
        settings: config.service,
        transport,
        bus,
        bytes,
        signals,
        queues,
        logger,
        registry,
      }),
    { RPC_HOST: config.RPC_HOST },
  );
  onStop(() => service.close());
  // The bus stops after the last request and before the stores that handlers write to are closed.
  onStop(() => bus.stop());
  onStop(() => service.drain());
  await bus.start();
  showOutboxDepth(registry, service.relay);
  Object.assign(checks, service.checks);
  operations.setReady(true);
  onStop(() => operations.setReady(false));
}

/** Not shown while the store is unreachable: see `gauge`. */
function showOutboxDepth(registry: Registry, relay: OutboxRelay): void {
  gauge(registry, {
    name: 'pulso_outbox_depth',
    help: 'Committed states that are not published yet',
    async collect() {
      this.set(await relay.depth());
    },
  });
}
