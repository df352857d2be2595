import { randomUUID } from 'node:crypto';
import { type RunningPulso, composePulso } from '@pulso/embedded/compose-pulso';
import { databaseUrl } from '@pulso/embedded/database-url';
import { type Secrets, newSecrets } from '@pulso/embedded/launcher/data-directory';
import { MARKETING } from '@pulso/gateway/config';
import { createLogger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';
import pg from 'pg';
import { ApiClient } from './api-client.js';

export interface TestPulso extends RunningPulso {
  secrets: Secrets;
  /** A new client without a session. */
  visitor(): ApiClient;
  /** A new client signed up as `username`. */
  user(username: string, fields?: Record<string, unknown>): Promise<ApiClient>;
}

const need = (name: string) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the suites' global set-up starts the engines.`);
  return value;
};

/** All of Pulso in this process, on databases of its own in the suites' engines. `close` drops them. */
export async function startPulso(
  options: { clock?: Clock; rateLimitFactor?: number } = {},
): Promise<TestPulso> {
  const suffix = randomUUID().slice(0, 8);
  const admin = new pg.Client({ connectionString: need('PULSO_TEST_POSTGRES_URL') });
  await admin.connect();
  const names = {
    identity: `journey_${suffix}_identity`,
    social: `journey_${suffix}_social`,
    bus: `journey_${suffix}_bus`,
  };
  for (const name of Object.values(names)) await admin.query(`CREATE DATABASE ${name}`);
  const secrets = await newSecrets();
  const pulso = await composePulso({
    databases: {
      identity: databaseUrl(need('PULSO_TEST_POSTGRES_URL'), names.identity),
      social: databaseUrl(need('PULSO_TEST_POSTGRES_URL'), names.social),
      bus: databaseUrl(need('PULSO_TEST_POSTGRES_URL'), names.bus),
      posts: databaseUrl(need('PULSO_TEST_MONGODB_URL'), `journey_${suffix}_posts`),
    },
    secrets,
    port: 0,
    operationsPort: 0,
    publicUrl: 'http://localhost',
    rateLimitFactor: options.rateLimitFactor ?? 0,
    staticDirectory: null,
    marketing: MARKETING,
    logger: createLogger({ service: 'journey', level: 'silent' }),
    clock: options.clock,
  });
  const visitor = () => new ApiClient(pulso.url);
  return {
    ...pulso,
    secrets,
    visitor,
    user: (username, fields) => visitor().signUp(username, fields),
    async close() {
      await pulso.close();
      for (const name of Object.values(names)) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}
