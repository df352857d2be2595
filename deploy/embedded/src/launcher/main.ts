import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '@pulso/platform/config/load-config';
import { createLogger } from '@pulso/platform/logging/logger';
import { traceProcess } from '@pulso/platform/telemetry/tracing';
import { type RunningPulso, composePulso } from '../compose-pulso.js';
import { createDatabases, databasesOn } from '../databases.js';
import { type DocumentStore, startDocumentStore } from '../document-store/supervisor.js';
import { type PostgresServer, startPostgres } from '../postgres/postgres-server.js';
import { createDataDirectory, openDataDirectory } from './data-directory.js';
import { DEMO_PASSWORD, DEMO_USERS } from './demo-content.js';
import { lockDataDirectory } from './instance-lock.js';
import { seedDemo } from './seed-demo.js';
import { type Settings, readSettings } from './settings.js';
import { StartError } from './start-error.js';

const STATIC_DIRECTORY = join(fileURLToPath(import.meta.url), '../../../../../frontend/dist');
const STOP_DEADLINE_MS = 5_000;

/** `npm start`: the engines, all services and the gateway, until SIGINT or SIGTERM. Failures are one line and exit code 1. */
export async function main(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const closers: (() => Promise<void> | void)[] = [];
  let stopping: Promise<void> | undefined;
  const stop = (code: number) => {
    stopping ??= closeAll(closers).then((clean) => process.exit(clean ? code : 1));
    return stopping;
  };
  const abort = (reason: string) => {
    console.error(`pulso: ${reason}`);
    void stop(1);
  };
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(0));
  try {
    await start(env, closers, abort);
  } catch (error) {
    if (stopping) return;
    abort(describe(error));
  }
}

async function start(
  env: NodeJS.ProcessEnv,
  closers: (() => Promise<void> | void)[],
  abort: (reason: string) => void,
): Promise<void> {
  const started = Date.now();
  const settings = readSettings(env);
  const logger = createLogger({ service: 'pulso', level: settings.logLevel, pretty: process.stdout.isTTY });
  const tracing = await traceProcess('pulso', settings.tracing, logger);
  closers.push(async () => tracing?.stop());
  createDataDirectory(settings.dataDirectory);
  const lock = lockDataDirectory(settings.dataDirectory);
  closers.push(() => lock.release());
  const data = await openDataDirectory(settings.dataDirectory);

  progress(data.isNew ? 'Setting up the databases' : 'Starting the databases');
  const postgresStarting = startPostgres({
    directory: join(data.path, 'postgres'),
    password: data.secrets.postgresPassword,
    onExit: abort,
  });
  const documentsStarting = startDocumentStore({
    directory: join(data.path, 'documents'),
    password: data.secrets.documentStorePassword,
    onExit: (description) => logger.error(description),
  });
  const [postgres, documents] = await bothOrNeither(postgresStarting, documentsStarting, closers);
  const databases = databasesOn({ postgresUrl: postgres.url, mongodbUrl: documents.url }, 'pulso');
  await createDatabases(postgres.url, databases);

  progress('Starting the services');
  const pulso = await namingPorts(settings, () =>
    composePulso({
      databases,
      env,
      secrets: data.secrets,
      port: settings.port,
      operationsPort: settings.operationsPort,
      publicUrl: settings.publicUrl,
      rateLimitFactor: settings.rateLimitFactor,
      staticDirectory: STATIC_DIRECTORY,
      marketing: settings.marketing,
      logger,
    }),
  );
  closers.push(() => pulso.close());
  if (settings.seed === 'demo' && !data.seeded) {
    progress('Adding the demo accounts');
    await seedDemo(pulso);
    data.noteSeeded();
  }
  welcome(pulso, settings.publicUrl, settings.seed === 'demo', Date.now() - started);
}

/** A port that cannot be had is told by the setting that asks for it. */
async function namingPorts<T>(settings: Settings, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code, port } = error as NodeJS.ErrnoException & { port?: number };
    const name = port === settings.operationsPort ? 'OPERATIONS_PORT' : 'PORT';
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `${name}: ${port} is taken by another program. Choose another one: ${name}=8081 npm start`,
      );
    }
    if (code === 'EACCES' && port) throw new StartError(`${name}: this user may not listen on ${port}.`);
    throw error;
  }
}

/** Engines start side by side; when one fails the other must still be closed. */
async function bothOrNeither(
  postgresStarting: Promise<PostgresServer>,
  documentsStarting: Promise<DocumentStore>,
  closers: (() => Promise<void> | void)[],
): Promise<[PostgresServer, DocumentStore]> {
  const [postgres, documents] = await Promise.allSettled([postgresStarting, documentsStarting]);
  for (const engine of [postgres, documents]) {
    if (engine.status === 'fulfilled') closers.push(() => engine.value.stop());
  }
  if (postgres.status === 'rejected') throw postgres.reason;
  if (documents.status === 'rejected') throw documents.reason;
  return [postgres.value, documents.value];
}

/** Last opened, first closed; what hangs is left behind after the deadline. */
async function closeAll(closers: (() => Promise<void> | void)[]): Promise<boolean> {
  const timer = setTimeout(() => process.exit(1), STOP_DEADLINE_MS);
  let clean = true;
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      clean = false;
      console.error(`pulso: ${describe(error)}`);
    }
  }
  clearTimeout(timer);
  return clean;
}

function describe(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return 'PULSO_DATA_DIR: the disk is full.';
  return message ?? String(error);
}

const progress = (line: string) => console.log(`${line} …`);

function welcome(pulso: RunningPulso, publicUrl: string, withDemo: boolean, milliseconds: number): void {
  const url = publicUrl.endsWith(':0') ? pulso.url : publicUrl;
  console.log(`\nPulso is running at ${url}  (${(milliseconds / 1000).toFixed(1)} s)`);
  if (withDemo) {
    console.log(`\nDemo accounts, password ${DEMO_PASSWORD}:`);
    for (const { email, name, isCoach } of DEMO_USERS)
      console.log(`  ${email.padEnd(24)} ${name}${isCoach ? ', coach' : ''}`);
  }
  console.log('\nPress Ctrl-C to stop.');
}
