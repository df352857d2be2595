import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import type { Registry } from 'prom-client';
import { loadConfig } from '../config/load-config.js';
import type { EventBus } from '../events/event-bus.js';
import { assertKafkaReachable } from '../events/kafka/assert-reachable.js';
import { KafkaBus } from '../events/kafka/kafka-bus.js';
import type { KafkaConfig } from '../events/kafka/kafka-config.js';
import { topicsOf } from '../events/kafka/topic-table.js';
import type { OutboxRelay } from '../events/outbox.js';
import { type ReadinessCheck, startOperationsServer } from '../health/operations-server.js';
import type { Logger } from '../logging/logger.js';
import type { RpcTransport } from '../rpc/rpc-transport.js';
import { gauge } from '../telemetry/metrics.js';
import type { z } from 'zod';
import { takingPorts } from './listening.js';
import type { ServiceSettings } from './process-settings.js';
import { type ProcessContext, runProcess } from './run-process.js';

/** A service's own settings, those of every service, and Kafka's. */
export type ServiceConfig = ServiceSettings & KafkaConfig;

/** What a service's `start…` gives. */
export interface RunningService {
  checks: Readonly<Record<string, ReadinessCheck>>;
  relay: OutboxRelay;
  /** Refuses new calls, finishes those under way, publishes what they wrote, and ends the relay. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceProcessOptions<S extends z.ZodType<ServiceConfig>> {
  name: string;
  settings: S;
  /** Rejects with StartError where an engine is out of reach or its schema is not what this version needs. */
  assertReady(config: z.output<S>): Promise<void>;
  start(parts: {
    config: z.output<S>;
    transport: RpcTransport;
    bus: EventBus;
    logger: Logger;
    registry: Registry;
  }): Promise<RunningService>;
}

/**
 * A service as a process of its own: gRPC on RPC_PORT, events over Kafka, probes and metrics on OPERATIONS_PORT. It
 * migrates nothing. On SIGTERM it is not ready any more, finishes requests, relay and consumers, and ends.
 */
export function runService<S extends z.ZodType<ServiceConfig>>(
  options: ServiceProcessOptions<S>,
): Promise<void> {
  return runProcess<z.output<S>>({
    name: options.name,
    readConfig: (env) => loadConfig(options.settings, env),
    start: (context) => startService(options, context),
  });
}

async function startService<S extends z.ZodType<ServiceConfig>>(
  { name, assertReady, start }: ServiceProcessOptions<S>,
  { config, logger, registry, onStop }: ProcessContext<z.output<S>>,
): Promise<void> {
  // Filled once there is something to check: /healthz answers while a large store is still being read.
  const checks: Record<string, ReadinessCheck> = {};
  const operations = await takingPorts({ OPERATIONS_PORT: config.OPERATIONS_PORT }, () =>
    startOperationsServer({ port: config.OPERATIONS_PORT, checks, registry }),
  );
  onStop(() => operations.close());
  await assertKafkaReachable(config, logger);
  await assertReady(config);
  const bus = new KafkaBus({ config, logger, registry, publishes: topicsOf(name) });
  const transport = { kind: 'grpc', url: `${config.RPC_HOST}:${config.RPC_PORT}` } as const;
  // It would print what it rejects with, too.
  const quiet = process.env.GRPC_VERBOSITY === undefined;
  if (quiet) setLogVerbosity(logVerbosity.NONE);
  const service = await takingPorts(
    { RPC_PORT: config.RPC_PORT },
    () => start({ config, transport, bus, logger, registry }),
    { RPC_HOST: config.RPC_HOST },
  );
  if (quiet) setLogVerbosity(logVerbosity.ERROR);
  onStop(() => service.close());
  // After the last request, before the stores that handlers write to are closed.
  onStop(() => bus.stop());
  onStop(() => service.drain());
  await bus.start();
  showOutboxDepth(registry, service.relay, logger);
  Object.assign(checks, service.checks);
  operations.setReady(true);
  onStop(() => operations.setReady(false));
}

/** While the store is away the depth is unknown, which Prometheus writes as NaN. */
function showOutboxDepth(registry: Registry, relay: OutboxRelay, logger: Logger): void {
  gauge(registry, {
    name: 'pulso_outbox_depth',
    help: 'States that are committed and not published yet',
    async collect() {
      try {
        this.set(await relay.depth());
      } catch (error) {
        logger.debug({ err: error }, 'the outbox cannot be counted');
        this.set(NaN);
      }
    },
  });
}
