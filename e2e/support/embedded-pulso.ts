import { randomUUID } from 'node:crypto';
import { composePulso } from '@pulso/embedded/compose-pulso';
import { databaseUrl } from '@pulso/embedded/database-url';
import { newSecrets } from '@pulso/embedded/launcher/data-directory';
import { MARKETING } from '@pulso/gateway/config';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { createLogger } from '@pulso/platform/logging/logger';
import { traceProcess } from '@pulso/platform/telemetry/tracing';
import pg from 'pg';
import { type PulsoUnderTest, engine } from './test-pulso.js';

/** The embedded profile: all of Pulso in this process. */
export async function startEmbeddedPulso({ tracesTo }: { tracesTo?: string } = {}): Promise<PulsoUnderTest> {
  const suffix = randomUUID().slice(0, 8);
  const postgresUrl = engine('PULSO_TEST_POSTGRES_URL');
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  const names = {
    identity: `journey_${suffix}_identity`,
    social: `journey_${suffix}_social`,
    bus: `journey_${suffix}_bus`,
  };
  for (const name of Object.values(names)) await admin.query(`CREATE DATABASE ${name}`);
  const secrets = await newSecrets();
  const databases = {
    identity: databaseUrl(postgresUrl, names.identity),
    social: databaseUrl(postgresUrl, names.social),
    bus: databaseUrl(postgresUrl, names.bus),
    posts: databaseUrl(engine('PULSO_TEST_MONGODB_URL'), `journey_${suffix}_posts`),
  };
  const logger = createLogger({ service: 'journey', level: 'silent' });
  const tracing = await traceProcess('pulso', { OTEL_EXPORTER_OTLP_ENDPOINT: tracesTo }, logger);
  const pulso = await composePulso({
    databases,
    secrets,
    port: 0,
    operationsPort: 0,
    publicUrl: 'http://localhost',
    rateLimitFactor: 0,
    staticDirectory: null,
    // What keeps this process busy is the journey itself.
    maxEventLoopDelayMs: Infinity,
    marketing: MARKETING,
    logger,
  });
  return {
    url: pulso.url,
    secrets,
    publish: (events) => pulso.bus.publish(events),
    drainEvents: (timeoutMs) => pulso.drainEvents(timeoutMs),
    async withoutSocial(during) {
      // What has been closed cannot be brought back into the process: calls fail as they do when nobody answers.
      const { social } = pulso.clients;
      const kept = { ...social };
      const down = () => Promise.reject(unavailable());
      Object.assign(social, Object.fromEntries(Object.keys(social).map((method) => [method, down])));
      try {
        await during();
      } finally {
        Object.assign(social, kept);
      }
    },
    stopSocial: () => pulso.drain('social'),
    republish: (service, noun) => pulso.republish(service, noun),
    databases,
    async close() {
      await pulso.close();
      await tracing?.stop();
      for (const name of Object.values(names)) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}
