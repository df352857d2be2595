import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, createLogger } from '@pulso/platform/logging/logger';
import { traceProcess } from '@pulso/platform/telemetry/tracing';
import { type RunningPulso, composePulso } from '../compose-pulso.js';
import { createDatabases, databasesOn } from '../databases.js';
import { dressDemo } from '../demo/dress-demo.js';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../demo/people.js';
import { readyToBePaid } from '../demo/ready-to-be-paid.js';
import { SeedClock } from '../demo/seed-clock.js';
import { seedDemo, type SeededDemo } from '../demo/seed-demo.js';
import { type DataDirectory, objectsOf } from './data-directory.js';
import { type EngineUrls, startEngines } from './engines.js';
import { hasDevelopmentProvider, startDevelopmentProvider } from './development-provider.js';
import { withKnownPort } from './known-port.js';
import { type Closers, launch, progress } from './launch.js';
import { type Settings, readSettings } from './settings.js';
import { type Simulator, forgetRunningSimulator, startSimulator } from './simulator.js';
import { StartError } from './start-error.js';
import { startWarnings } from './start-warnings.js';

const STATIC_DIRECTORY = join(fileURLToPath(import.meta.url), '../../../../../frontend/dist');

const DEMO_MEDIA = join(fileURLToPath(import.meta.url), '../../../demo-media');

/**
 * `npm start`: runs the engines, all services and the gateway until SIGINT or SIGTERM. A failure prints one line and
 * ends with exit code 1.
 */
export async function main(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  await launch(async ({ closers, abort, stopWithin }) => {
    const started = Date.now();
    const given = readSettings(env);
    const asksForPort = given.payments === 'simulator' || hasDevelopmentProvider(given, env);
    const settings = await withKnownPort(given, asksForPort);
    stopWithin(settings.stopDeadlineMs);
    const logger = createLogger({ service: 'pulso', level: settings.logLevel, pretty: process.stdout.isTTY });
    const tracing = await traceProcess('pulso', settings.tracing, logger);
    closers.push(async () => tracing?.stop());
    const { dataDirectory } = settings;
    const { urls, data } = await startEngines({ dataDirectory, logger, closers, onLost: abort });
    const pulso = await startPulso({
      settings,
      env,
      urls,
      data,
      logger,
      closers,
      staticDirectory: STATIC_DIRECTORY,
    });
    welcome(settings, {
      listening: pulso.url,
      milliseconds: Date.now() - started,
      simulator: pulso.simulator?.url,
    });
  });
}

export interface PulsoParts {
  settings: Settings;
  /** The environment with the services' own settings. */
  env: NodeJS.ProcessEnv;
  urls: EngineUrls;
  data: DataDirectory;
  logger: Logger;
  closers: Closers;
  /** The built frontend; null serves the API only. */
  staticDirectory: string | null;
}

/**
 * Starts the services and the gateway in this process, on running engines, and seeds the demo where it is missing.
 */
export async function startPulso(
  parts: PulsoParts,
): Promise<RunningPulso & { simulator: Simulator | undefined }> {
  const { settings, urls, data, logger, closers, staticDirectory } = parts;
  for (const warning of startWarnings(settings, data)) logger.warn(warning);
  const databases = databasesOn({ postgresUrl: urls.postgres, mongodbUrl: urls.documents }, 'pulso');
  await createDatabases(urls.postgres, databases);
  const simulator = await startedSimulator(parts);
  if (simulator) closers.push(() => simulator.close());
  const provider = hasDevelopmentProvider(settings, parts.env)
    ? await startDevelopmentProvider(settings, data, logger)
    : undefined;
  if (provider) closers.push(() => provider.close());
  const env = { ...parts.env, ...simulator?.environment, ...provider?.environment };
  const seedClock = settings.seed === 'demo' && !data.seeded ? new SeedClock() : undefined;
  progress('Starting the services');
  const pulso = await namingPorts(settings, () =>
    composePulso({
      databases,
      env,
      secrets: data.secrets,
      objectsDirectory: objectsOf(data.path),
      port: settings.port,
      operationsPort: settings.operationsPort,
      publicUrl: settings.publicUrl,
      trustedProxies: settings.trustedProxies,
      rateLimitFactor: settings.rateLimitFactor,
      payments: settings.payments,
      openidName: settings.openidName,
      maxEventLoopDelayMs: settings.maxEventLoopDelayMs,
      maxConnections: settings.maxConnections,
      maxPageRenders: settings.maxPageRenders,
      staticDirectory,
      marketing: settings.marketing,
      clock: seedClock,
      logger,
    }),
  );
  closers.push(() => pulso.close());
  if (seedClock) {
    progress('Adding the demo');
    const seeded = await seedDemo({ pulso, clock: seedClock, signingKeys: data.secrets.signingKeys });
    closers.push(dressInBackground(parts, seeded));
  }
  if (simulator && !simulator.demoIsPaid && settings.seed === 'demo') {
    const { onboard } = simulator;
    await readyToBePaid({ pulso, onboard, signingKeys: data.secrets.signingKeys, logger });
    simulator.noteDemoIsPaid();
  }
  return { ...pulso, simulator };
}

/** Adds the rest of the demo beside its use. Returns what stops it; a later start then goes on with it. */
function dressInBackground({ settings, data, logger }: PulsoParts, seeded: SeededDemo): () => Promise<void> {
  const stop = new AbortController();
  const isFree = settings.payments === 'none';
  const dressing = dressDemo({ ...seeded, folder: DEMO_MEDIA, isFree, stopping: stop.signal }).then(
    (isWhole) => {
      if (isWhole) data.noteSeeded();
    },
    (err: unknown) => logger.error({ err }, 'the demo is not whole; the next start goes on with it'),
  );
  return async () => {
    stop.abort();
    await dressing;
  };
}

function startedSimulator({ settings, data, env }: PulsoParts): Promise<Simulator> | undefined {
  if (settings.payments === 'simulator') return startSimulator(settings, data, env);
  forgetRunningSimulator(data.path);
  return undefined;
}

/** Turns errors of a taken or forbidden port into ones that name its setting. */
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

interface Running {
  /** The address for a PORT of 0. */
  listening: string;
  milliseconds: number;
  /** Where the simulator of Stripe is, if it runs. */
  simulator: string | undefined;
}

/** Prints Pulso's address, the demo accounts, and where the simulator of Stripe is. */
export function welcome({ publicUrl, seed }: Settings, running: Running): void {
  const { listening, milliseconds, simulator } = running;
  const url = publicUrl.endsWith(':0') ? listening : publicUrl;
  console.log(`\nPulso is running at ${url}  (${(milliseconds / 1000).toFixed(1)} s)`);
  if (seed === 'demo') {
    console.log(`\nDemo accounts, password ${DEMO_PASSWORD}:`);
    for (const { email, name, isCoach } of DEMO_PEOPLE.filter(({ printed }) => printed))
      console.log(`  ${email.padEnd(24)} ${name}${isCoach ? ', coach' : ''}`);
  }
  if (simulator) {
    console.log(`\nPayments go to a simulator of Stripe, no money moves. Pay with card 4242 4242 4242 4242.`);
    console.log(`  ${simulator}/_control  its clock, failures and webhooks`);
  }
  console.log('\nPress Ctrl-C to stop.');
}
