import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, createLogger } from '@pulso/platform/logging/logger';
import { traceProcess } from '@pulso/platform/telemetry/tracing';
import pg from 'pg';
import { type RunningPulso, composePulso } from '../compose-pulso.js';
import { databaseUrl } from '../database-url.js';
import type { DataDirectory } from './data-directory.js';
import { DEMO_PASSWORD, DEMO_USERS } from './demo-content.js';
import { type EngineUrls, startEngines } from './engines.js';
import { type Closers, launch, progress } from './launch.js';
import { seedDemo } from './seed-demo.js';
import { type Settings, readSettings } from './settings.js';
import { StartError } from './start-error.js';

const STATIC_DIRECTORY = join(fileURLToPath(import.meta.url), '../../../../../frontend/dist');
const DATABASES = ['pulso_identity', 'pulso_social', 'pulso_bus'] as const;

/** `npm start`: the engines, all services and the gateway, until SIGINT or SIGTERM. Failures are one line and exit code 1. */
export async function main(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  await launch(async ({ closers, abort }) => {
    const started = Date.now();
    const settings = readSettings(env);
    const logger = createLogger({ service: 'pulso', level: settings.logLevel, pretty: process.stdout.isTTY });
    const tracing = await traceProcess('pulso', settings.tracing, logger);
    closers.push(async () => tracing?.stop());
    const { dataDirectory } = settings;
    const { urls, data } = await startEngines({ dataDirectory, logger, closers, onLost: abort });
    const pulso = await startPulso({
      settings,
      urls,
      data,
      logger,
      closers,
      staticDirectory: STATIC_DIRECTORY,
    });
    welcome(settings, pulso.url, Date.now() - started);
  });
}

export interface PulsoParts {
  settings: Settings;
  urls: EngineUrls;
  data: DataDirectory;
  logger: Logger;
  closers: Closers;
  /** The built frontend; null: the API alone. */
  staticDirectory: string | null;
}

/** The services and the gateway in this process, on engines that run already; with the seed, where it is missing. */
export async function startPulso(parts: PulsoParts): Promise<RunningPulso> {
  const { settings, urls, data, logger, closers, staticDirectory } = parts;
  await createDatabases(urls.postgres);
  progress('Starting the services');
  const pulso = await namingPorts(settings, () =>
    composePulso({
      databases: {
        identity: databaseUrl(urls.postgres, 'pulso_identity'),
        social: databaseUrl(urls.postgres, 'pulso_social'),
        bus: databaseUrl(urls.postgres, 'pulso_bus'),
        posts: databaseUrl(urls.documents, 'pulso_posts'),
      },
      secrets: data.secrets,
      port: settings.port,
      operationsPort: settings.operationsPort,
      publicUrl: settings.publicUrl,
      rateLimitFactor: settings.rateLimitFactor,
      staticDirectory,
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
  return pulso;
}

/** Names the setting whose port is taken or forbidden. */
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

async function createDatabases(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const there = new Set(rows.map(({ datname }) => datname));
    for (const name of DATABASES) if (!there.has(name)) await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
}

/** Says where Pulso answers and how to sign in. `listening` is the address for a PORT of 0. */
export function welcome({ publicUrl, seed }: Settings, listening: string, milliseconds: number): void {
  const url = publicUrl.endsWith(':0') ? listening : publicUrl;
  console.log(`\nPulso is running at ${url}  (${(milliseconds / 1000).toFixed(1)} s)`);
  if (seed === 'demo') {
    console.log(`\nDemo accounts, password ${DEMO_PASSWORD}:`);
    for (const { email, name, isCoach } of DEMO_USERS)
      console.log(`  ${email.padEnd(24)} ${name}${isCoach ? ', coach' : ''}`);
  }
  console.log('\nPress Ctrl-C to stop.');
}
