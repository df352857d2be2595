import { randomUUID } from 'node:crypto';
import { composePulso, serviceEnvironment } from '@pulso/embedded/compose-pulso';
import { createDatabases, databasesOn, dropDatabases } from '@pulso/embedded/databases';
import { newSecrets } from '@pulso/embedded/launcher/data-directory';
import { MARKETING } from '@pulso/gateway/config';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { createLogger } from '@pulso/platform/logging/logger';
import { traceProcess } from '@pulso/platform/telemetry/tracing';
import { commandLineOf, runCommand } from '../../tools/cluster/cluster.mjs';
import { DRAIN_MS, type PulsoUnderTest, WAITS, engine } from './test-pulso.js';

/** The embedded profile: all of Pulso in this process. */
export async function startEmbeddedPulso({ tracesTo }: { tracesTo?: string } = {}): Promise<PulsoUnderTest> {
  const postgresUrl = engine('PULSO_TEST_POSTGRES_URL');
  const engines = { postgresUrl, mongodbUrl: engine('PULSO_TEST_MONGODB_URL') };
  const databases = databasesOn(engines, `journey_${randomUUID().slice(0, 8)}`);
  await createDatabases(postgresUrl, databases);
  const secrets = await newSecrets();
  const logger = createLogger({ service: 'journey', level: 'silent' });
  const tracing = await traceProcess('pulso', { OTEL_EXPORTER_OTLP_ENDPOINT: tracesTo }, logger);
  const end = async () => {
    await tracing?.stop();
    await dropDatabases(postgresUrl, databases);
  };
  const pulso = await composePulso({
    databases,
    secrets,
    env: WAITS,
    port: 0,
    operationsPort: 0,
    publicUrl: 'http://localhost',
    rateLimitFactor: 0,
    staticDirectory: null,
    // The load on this process's event loop is the journey itself.
    maxEventLoopDelayMs: 0,
    marketing: MARKETING,
    logger,
  }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return {
    url: pulso.url,
    secrets,
    publish: (events) => pulso.bus.publish(events),
    drainEvents: (timeoutMs = DRAIN_MS) => pulso.drainEvents(timeoutMs),
    async without(service, during) {
      // A closed service cannot be restarted in the process, so its calls fail as they do when no service responds.
      const client = pulso.clients[service];
      const kept = { ...client };
      const down = () => Promise.reject(unavailable());
      Object.assign(client, Object.fromEntries(Object.keys(client).map((method) => [method, down])));
      try {
        await during();
      } finally {
        Object.assign(client, kept);
      }
    },
    stop: (service) => pulso.services[service].drain(),
    republish: async (service, entity) => void (await pulso.services[service].republish(entity)),
    operate: (service, ...words) =>
      runCommand(commandLineOf(service), words, serviceEnvironment(service, { databases, secrets })),
    databases,
    async close() {
      try {
        await pulso.close();
      } finally {
        await end();
      }
    },
  };
}
