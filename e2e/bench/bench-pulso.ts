import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callAs } from '@pulso/embedded/call-as';
import { composePulso } from '@pulso/embedded/compose-pulso';
import { createDatabases, databasesOn } from '@pulso/embedded/databases';
import { startDocumentStore } from '@pulso/embedded/document-store/supervisor';
import { newSecrets } from '@pulso/embedded/launcher/data-directory';
import { startPostgres } from '@pulso/embedded/postgres/postgres-server';
import { MARKETING } from '@pulso/gateway/config';
import { createLogger } from '@pulso/platform/logging/logger';

export type BenchPulso = Awaited<ReturnType<typeof composePulso>>;

/** PostgreSQL and the document store in a new directory, which goes with them. */
export async function startBenchEngines() {
  const directory = mkdtempSync(join(tmpdir(), 'pulso-bench-'));
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    password: 'bench',
    durable: false,
  });
  const documents = await startDocumentStore({ directory: join(directory, 'documents'), password: 'bench' });
  return {
    directory,
    postgresUrl: postgres.url,
    mongodbUrl: documents.url,
    async stop() {
      await Promise.all([postgres.stop(), documents.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** An embedded Pulso without rate limits, in the databases `<prefix>_…` of these engines. */
export async function startBenchPulso(
  engines: { postgresUrl: string; mongodbUrl: string; directory: string },
  prefix: string,
) {
  const databases = databasesOn(engines, prefix);
  await createDatabases(engines.postgresUrl, databases);
  const secrets = await newSecrets();
  const pulso = await composePulso({
    databases,
    secrets,
    objectsDirectory: join(engines.directory, 'objects'),
    port: 0,
    operationsPort: 0,
    publicUrl: 'http://localhost',
    rateLimitFactor: 0,
    maxEventLoopDelayMs: 200,
    staticDirectory: null,
    marketing: MARKETING,
    logger: createLogger({ service: 'bench', level: 'error' }),
  });
  return { pulso, secrets, databases };
}

/** Signs up `name`; returns the user's id and access token. */
export async function signUp(pulso: BenchPulso, name: string): Promise<{ id: string; token: string }> {
  const session = await callAs(undefined, () =>
    pulso.clients.identity.signUp({
      email: `${name}@example.test`,
      password: 'correct horse',
      name,
      username: name,
      isCoach: false,
      bio: '',
      specialties: [],
      device: { userAgent: 'bench', address: '127.0.0.1' },
      language: '',
    }),
  );
  return { id: session.account!.user!.id, token: session.accessToken };
}
