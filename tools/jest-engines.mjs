import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENGINES, testVariable } from './engines/index.mjs';

const embedded = join(dirname(dirname(fileURLToPath(import.meta.url))), 'deploy', 'embedded');
const variableOf = (engine) => testVariable(ENGINES.find(({ name }) => name === engine));
const POSTGRES = variableOf('postgres');
const DOCUMENTS = variableOf('documents');

/**
 * Jest's global set-up for every package with suites on real stores: sets PULSO_TEST_POSTGRES_URL and
 * PULSO_TEST_MONGODB_URL. Engines named by the environment are used, otherwise the embedded ones are started for this
 * run. Each suite creates its own databases in them.
 */
export default async function startEngines() {
  globalThis.stopTestEngines = async () => undefined;
  if (process.env[POSTGRES] && process.env[DOCUMENTS]) return;
  const stops = [];
  const folder = mkdtempSync(join(tmpdir(), 'pulso-test-'));
  globalThis.stopTestEngines = async () => {
    await Promise.all(stops.map((stop) => stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await startMissing(folder, stops);
  } catch (error) {
    await globalThis.stopTestEngines();
    throw error;
  }
}

async function startMissing(folder, stops) {
  const needsPostgres = !process.env[POSTGRES];
  const needsDocuments = !process.env[DOCUMENTS];
  // Already built by `npm test`, or by Nx before this target.
  if (!process.env.PULSO_PREBUILT && !process.env.NX_TASK_TARGET_PROJECT) {
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: embedded });
  }
  if (needsPostgres) {
    const { startPostgres } = await import('../deploy/embedded/dist/postgres/postgres-server.js');
    // For root, PostgreSQL runs as another account, which must be able to enter.
    chmodSync(folder, 0o755);
    const postgres = await startPostgres({
      directory: join(folder, 'postgres'),
      password: randomUUID(),
      durable: false,
      maxConnections: 200,
    });
    stops.push(() => postgres.stop());
    process.env[POSTGRES] = postgres.url;
  }
  if (needsDocuments) {
    const { startDocumentStore } = await import('../deploy/embedded/dist/document-store/supervisor.js');
    const store = await startDocumentStore({ directory: join(folder, 'documents'), password: randomUUID() });
    stops.push(() => store.stop());
    process.env[DOCUMENTS] = store.url;
  }
}
