import type { Payments } from '@pulso/contracts/payments';
import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { startGateway } from '@pulso/gateway/app';
import { connectServices, type GatewayClients } from '@pulso/gateway/connect-services';
import type { MARKETING } from '@pulso/gateway/config';
import { publicJwks } from '@pulso/platform/auth/access-token';
import { publicSealingKey } from '@pulso/platform/auth/sealed-message';
import { drainEvents } from '@pulso/platform/events/outbox/drain-events';
import type { EventBus } from '@pulso/platform/events/event-bus';
import { migrateBus } from '@pulso/platform/events/in-process/bus-schema';
import { InProcessBus } from '@pulso/platform/events/in-process/in-process-bus';
import { startOperationsServer } from '@pulso/platform/health/operations-server';
import { allAddresses } from '@pulso/platform/process/all-addresses';
import { inProcessQueues } from '@pulso/platform/queue/in-process-queues';
import type { Logger } from '@pulso/platform/logging/logger';
import { BACKGROUND_LIMITS, MIGRATION_LIMITS, poolOptions } from '@pulso/platform/postgres/pool-options';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import {
  databaseUrlSetting,
  readServiceSettings,
  serviceShape,
  type ServiceSettings,
} from '@pulso/platform/service/service-settings';
import { type RunningService, startService } from '@pulso/platform/service/start-service';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { createRegistry } from '@pulso/platform/telemetry/metrics';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import { SERVICES } from '@pulso/registry/services';
import pg from 'pg';
import type { Databases } from './databases.js';
import { fillNewProjections } from './fill-projections.js';
import type { Secrets } from './launcher/data-directory.js';
import { startMail } from './start-mail.js';
import { objectsEnvironment, startVideo } from './start-video.js';

export interface PulsoOptions {
  databases: Databases;
  secrets: Secrets;
  /** Where media keeps its files; made where it is missing. */
  objectsDirectory: string;
  /** The services' own settings by environment variable; missing ones have their defaults. */
  env?: NodeJS.ProcessEnv;
  /** 0 takes any free port, also for `operationsPort`. */
  port: number;
  operationsPort: number;
  publicUrl: string;
  /** How many proxies in front set X-Forwarded-For (LIMIT-14): none unless given. */
  trustedProxies?: number;
  rateLimitFactor: number;
  /** Who takes the money (SUBS-1): nobody, so subscribing is free, unless given. */
  payments?: Payments;
  /** What the button calls the OpenID provider, where `env` sets one up: 'Google' unless given. */
  openidName?: string;
  /** In milliseconds; 0 never refuses a request for it (LIMIT-5). */
  maxEventLoopDelayMs: number;
  /** Open connections of clients (LIMIT-12): 10,000 unless given. */
  maxConnections?: number;
  /** Pages of guests that are rendered at once (LIMIT-15): 4 unless given. */
  maxPageRenders?: number;
  /** The built frontend; null serves the API only. */
  staticDirectory: string | null;
  marketing: typeof MARKETING;
  logger: Logger;
  clock?: Clock;
}

/** Where media keeps its files: in a directory, or in the bucket of a URL with its key and secret. */
export type ObjectsPlace = Pick<PulsoOptions, 'objectsDirectory'> | { objectsUrl: string };

export interface RunningPulso {
  url: string;
  port: number;
  operationsPort: number;
  /** Those of the gateway. */
  clients: GatewayClients;
  /** Other clients, whose calls may take `budgetMs`. */
  clientsWithin(budgetMs: number): GatewayClients;
  services: Readonly<Record<ServiceName, RunningService>>;
  bus: EventBus;
  /** Resolves when nothing is left to publish or to deliver; rejects after `timeoutMs` (a minute). */
  drainEvents(timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * The embedded profile's composition root: all services and the gateway in this process, with in-process rpc and the
 * event bus in PostgreSQL. It migrates the databases first; no other profile migrates at boot. Throws ConfigError.
 */
export async function composePulso(options: PulsoOptions): Promise<RunningPulso> {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    return { ...(await compose(options, closers)), close: () => closeAll(closers) };
  } catch (error) {
    await closeAll(closers).catch((err: unknown) => options.logger.error({ err }, 'closing failed'));
    throw error;
  }
}

/** Closes what was opened last first. Closes all of them, and then rejects with the first failure. */
async function closeAll(closers: (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.splice(0).reverse()) {
    await close().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function compose(
  options: PulsoOptions,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<RunningPulso, 'close'>> {
  const { secrets, logger, clock = systemClock } = options;
  const settings = settingsOf(options);
  const pool = openPool(
    'the event bus',
    { connectionString: options.databases.bus, max: 8, ...poolOptions(BACKGROUND_LIMITS) },
    options,
    closers,
  );
  await Promise.all([
    migrateBusDatabase(options.databases.bus),
    ...SERVICE_NAMES.map((name) => SERVICES[name].store.migrate(settings[name].store, { finish: true })),
  ]);

  const registry = createRegistry('pulso');
  const bus = new InProcessBus({ pool, clock, logger, registry });
  const signals = new InProcessSignals();
  const queues = inProcessQueues();
  const transport = { kind: 'in-process', network: new InProcessNetwork() } as const;
  const started: [ServiceName, RunningService][] = [];
  for (const name of SERVICE_NAMES) {
    const around = { settings: settings[name], transport, bus, signals, queues, clock, logger, registry };
    const service = await startService(SERVICES[name], around);
    closers.push(() => service.close());
    started.push([name, service]);
  }
  const services = Object.fromEntries(started) as Record<ServiceName, RunningService>;
  const mail = await startMail(options, { queues, signals, clock, logger, registry });
  closers.push(() => mail.worker.close());
  const video = await startVideo(options, { queues, signals, clock, logger, registry });
  if (video) closers.push(() => video.close());
  const workers = [
    ['messaging-mail', mail.worker] as const,
    ...(video ? [['media-video', video] as const] : []),
  ];
  // After the last request, and before the stores that consumers write to are closed.
  closers.push(() => bus.stop());
  await bus.start();
  await fillNewProjections(bus, services, logger);

  const clients = connectServices(() => transport);
  const operations = await startOperationsServer({
    port: options.operationsPort,
    host: '127.0.0.1',
    checks: Object.fromEntries(
      [...started, ...workers].flatMap(([name, { checks }]) =>
        Object.entries(checks).map(([check, run]) => [`${name}.${check}`, run]),
      ),
    ),
    registry,
  });
  closers.push(() => operations.close());
  const gateway = await startGateway({
    config: {
      PORT: options.port,
      HOST: allAddresses(),
      PUBLIC_URL: options.publicUrl,
      ACCESS_TOKEN_JWKS: publicJwks(secrets.signingKeys),
      MEDIA_BYTES_URL: `http://127.0.0.1:${services.media.bytesPort}`,
      PULSO_AFTER_SECRETS: secrets.pulsoAfter,
      RATE_LIMIT_FACTOR: options.rateLimitFactor,
      PAYMENTS: options.payments ?? 'none',
      OPENID_CLIENT_ID: options.env?.OPENID_CLIENT_ID || undefined,
      OPENID_NAME: options.openidName,
      MAX_EVENT_LOOP_DELAY_MS: options.maxEventLoopDelayMs,
      MAX_CONNECTIONS: options.maxConnections ?? 10_000,
      MAX_PAGE_RENDERS: options.maxPageRenders ?? 4,
      TRUSTED_PROXIES: options.trustedProxies ?? 0,
      STATIC_DIR: options.staticDirectory ?? undefined,
      ...options.marketing,
    },
    clients,
    signals,
    devMail: mail.mailbox,
    clock,
    logger,
    registry,
  });
  closers.push(() => gateway.close());
  operations.setReady(true);

  const relays = started.map(([, { relay }]) => relay);
  return {
    url: gateway.url,
    port: gateway.port,
    operationsPort: operations.port,
    clients,
    clientsWithin: (budgetMs) => connectServices(() => transport, budgetMs),
    services,
    bus,
    drainEvents: (timeoutMs) => drainEvents({ relays, bus, timeoutMs }),
  };
}

/** The event bus's tables. Earlier versions had their queues beside them, whose rows messaging has. */
async function migrateBusDatabase(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2, ...poolOptions(MIGRATION_LIMITS) });
  // A lost connection's query rejects, too.
  pool.on('error', () => undefined);
  try {
    await migrateBus(pool);
    await pool.query('DROP SCHEMA IF EXISTS bullmq CASCADE');
  } finally {
    await pool.end();
  }
}

function openPool(
  whose: string,
  config: pg.PoolConfig,
  { logger }: PulsoOptions,
  closers: (() => Promise<unknown>)[],
): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', (error) => {
    // A closing connection may still report that the server shuts down.
    if (!pool.ending) logger.warn({ err: error }, `lost an idle connection of ${whose} to its database`);
  });
  closers.push(() => pool.end());
  return pool;
}

/** The environment of a service of this Pulso, without the secrets of others; its command line can use it, too. */
export function serviceEnvironment(
  name: ServiceName,
  { databases, secrets, ...objects }: Pick<PulsoOptions, 'databases' | 'secrets'> & ObjectsPlace,
): Record<string, string> {
  const made = {
    [databaseUrlSetting(name)]: databases[name],
    ACCESS_TOKEN_KEYS: JSON.stringify(secrets.signingKeys),
    ACCESS_TOKEN_JWKS: JSON.stringify(publicJwks(secrets.signingKeys)),
    CURSOR_SECRETS: JSON.stringify(secrets.cursor),
    MEDIA_TICKET_KEYS: JSON.stringify(secrets.mediaTicketKeys),
    MEDIA_TICKET_JWKS: JSON.stringify(publicJwks(secrets.mediaTicketKeys)),
    MEDIA_URL_SECRETS: JSON.stringify(secrets.mediaUrl),
    MAIL_SEALING_JWKS: JSON.stringify(secrets.mailSealingKeys.map(publicSealingKey)),
    ...objectsEnvironment(objects),
  };
  const known = serviceShape(SERVICES[name]);
  return Object.fromEntries(Object.entries(made).filter(([setting]) => Object.hasOwn(known, setting)));
}

function settingsOf(options: PulsoOptions): Record<ServiceName, ServiceSettings> {
  const read = SERVICE_NAMES.map((name) => {
    const env = { ...options.env, ...serviceEnvironment(name, options) };
    return [name, readServiceSettings(SERVICES[name], env)];
  });
  return Object.fromEntries(read) as Record<ServiceName, ServiceSettings>;
}
