import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composePulso } from '@pulso/embedded/compose-pulso';
import { createDatabases, databasesOn, dropDatabases } from '@pulso/embedded/databases';
import { newSecrets } from '@pulso/embedded/launcher/data-directory';
import { MARKETING } from '@pulso/gateway/config';
import { readInput } from '@pulso/platform/command-line/run-commands';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { createLogger } from '@pulso/platform/logging/logger';
import { traceProcess } from '@pulso/platform/telemetry/tracing';
import { SERVICES } from '@pulso/registry/services';
import { DRAIN_MS, type PulsoUnderTest, WAITS, engine } from './test-pulso.js';

/** The embedded profile: all of Pulso in this process. */
export async function startEmbeddedPulso({
  tracesTo,
  staticDirectory,
}: { tracesTo?: string; staticDirectory?: string } = {}): Promise<PulsoUnderTest> {
  const postgresUrl = engine('PULSO_TEST_POSTGRES_URL');
  const engines = { postgresUrl, mongodbUrl: engine('PULSO_TEST_MONGODB_URL') };
  const databases = databasesOn(engines, `journey_${randomUUID().slice(0, 8)}`);
  await createDatabases(postgresUrl, databases);
  const secrets = await newSecrets();
  const logger = createLogger({ service: 'journey', level: 'silent' });
  const tracing = await traceProcess('pulso', { OTEL_EXPORTER_OTLP_ENDPOINT: tracesTo }, logger);
  const objectsDirectory = await mkdtemp(join(tmpdir(), 'pulso-objects-'));
  const end = async () => {
    await tracing?.stop();
    await dropDatabases(postgresUrl, databases);
    await rm(objectsDirectory, { recursive: true, force: true });
  };
  const pulso = await composePulso({
    databases,
    objectsDirectory,
    secrets,
    env: WAITS,
    port: 0,
    operationsPort: 0,
    publicUrl: 'http://localhost',
    rateLimitFactor: 0,
    staticDirectory: staticDirectory ?? null,
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
    operationsUrls: [`http://127.0.0.1:${pulso.operationsPort}`],
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
    async republish(service, ...entities) {
      for (const entity of entities) await pulso.services[service].republish(entity);
    },
    // On the cluster these are commands; here their work is done in this process, which takes a hundredth of the time.
    async operate(service, name, ...words) {
      const command = SERVICES[service].commands[name];
      if (!command) throw new Error(`${service} has no command ${name} of its own`);
      const lines = await command.prepare(readInput(command, words))(pulso.services[service]);
      return lines.join('\n');
    },
    databases,
    objects: () => readdir(objectsDirectory, { recursive: true }),
    async close() {
      try {
        await pulso.close();
      } finally {
        await end();
      }
    },
  };
}
