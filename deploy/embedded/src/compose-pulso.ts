import { IdentityServiceService } from '@pulso/contracts/identity/v1/identity';
import { startGateway } from '@pulso/gateway/app';
import type { GatewayConfig } from '@pulso/gateway/config';
import { POSTS_SERVICE } from '@pulso/gateway/posts/feed-page.codec';
import { startIdentity } from '@pulso/identity/app';
import { identityConfigSchema } from '@pulso/identity/config';
import { migrateIdentity } from '@pulso/identity/migrate';
import { publicJwks } from '@pulso/platform/auth/access-token';
import { loadConfig } from '@pulso/platform/config/load-config';
import { drainEvents } from '@pulso/platform/events/drain-events';
import type { EventBus } from '@pulso/platform/events/event-bus';
import { migrateBus } from '@pulso/platform/events/bus-schema';
import { InProcessBus } from '@pulso/platform/events/in-process-bus';
import { startOperationsServer } from '@pulso/platform/health/operations-server';
import type { Logger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { type RpcClient, createRpcClient } from '@pulso/platform/rpc/rpc-client';
import { createRegistry } from '@pulso/platform/telemetry/metrics';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import { startPosts } from '@pulso/posts/app';
import { postsConfigSchema } from '@pulso/posts/config';
import { migratePosts } from '@pulso/posts/migrate';
import { SOCIAL_SERVICE, startSocial } from '@pulso/social/app';
import { socialConfigSchema } from '@pulso/social/config';
import { migrateSocial } from '@pulso/social/migrate';
import pg from 'pg';
import type { Secrets } from './launcher/data-directory.js';

export interface PulsoClients {
  identity: RpcClient<typeof IdentityServiceService>;
  posts: RpcClient<typeof POSTS_SERVICE.definition>;
  social: RpcClient<typeof SOCIAL_SERVICE.definition>;
}

export interface PulsoOptions {
  /** URL of a PostgreSQL database each for identity, social and the bus, and of posts' in the document store. */
  databases: { identity: string; social: string; bus: string; posts: string };
  secrets: Secrets;
  /** 0 takes any free port, as `operationsPort` does. */
  port: number;
  operationsPort: number;
  publicUrl: string;
  rateLimitFactor: number;
  /** The built frontend; null: the API alone. */
  staticDirectory: string | null;
  marketing: GatewayConfig['marketing'];
  logger: Logger;
  clock?: Clock;
  /** See `GatewayOptions`. */
  maxEventLoopDelayMs?: number;
}

export interface RunningPulso {
  url: string;
  port: number;
  operationsPort: number;
  clients: PulsoClients;
  bus: EventBus;
  /** Resolves when nothing is left to publish or to deliver; rejects after `timeoutMs` (10 s). */
  drainEvents(timeoutMs?: number): Promise<void>;
  republish(service: 'identity' | 'posts' | 'social', noun: string): Promise<void>;
  /** Ends a service's calls, for good; the others go on without them. */
  drain(service: 'identity' | 'posts' | 'social'): Promise<void>;
  close(): Promise<void>;
}

/**
 * The embedded profile's composition root: every service and the gateway in this process, rpc in process, events over
 * the bus in PostgreSQL. Databases are migrated first: only here do they migrate at boot.
 */
export async function composePulso(options: PulsoOptions): Promise<RunningPulso> {
  const { logger, clock = systemClock } = options;
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await compose(options, logger, clock, closers, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function compose(
  options: PulsoOptions,
  logger: Logger,
  clock: Clock,
  closers: (() => Promise<unknown>)[],
  closeAll: () => Promise<void>,
): Promise<RunningPulso> {
  const { secrets } = options;
  const identityConfig = loadConfig(identityConfigSchema, {
    IDENTITY_DATABASE_URL: options.databases.identity,
    ACCESS_TOKEN_KEYS: JSON.stringify(secrets.signingKeys),
    CURSOR_SECRETS: JSON.stringify(secrets.cursor),
  });
  const accessTokenJwks = publicJwks(secrets.signingKeys);
  const postsConfig = loadConfig(postsConfigSchema, {
    MONGODB_URL: options.databases.posts,
    ACCESS_TOKEN_JWKS: JSON.stringify(accessTokenJwks),
    CURSOR_SECRETS: JSON.stringify(secrets.cursor),
  });
  const socialConfig = loadConfig(socialConfigSchema, {
    SOCIAL_DATABASE_URL: options.databases.social,
    ACCESS_TOKEN_JWKS: JSON.stringify(accessTokenJwks),
    CURSOR_SECRETS: JSON.stringify(secrets.cursor),
  });
  const pool = new pg.Pool({ connectionString: options.databases.bus, max: 8 });
  pool.on('error', (error) => {
    // A connection that is ending may still hear that the server ends.
    if (!pool.ending) logger.warn({ err: error }, 'an idle connection of the bus was lost');
  });
  closers.push(() => pool.end());
  await Promise.all([
    migrateIdentity(identityConfig),
    migrateSocial(socialConfig),
    migrateBus(pool),
    migratePosts(postsConfig),
  ]);

  const registry = createRegistry('pulso');
  const bus = new InProcessBus({ pool, clock, logger, registry });
  const network = new InProcessNetwork();
  const transport = { kind: 'in-process', network } as const;
  const shared = { transport, bus, clock, logger };
  const identity = await startIdentity({ ...shared, config: identityConfig, registry });
  closers.push(() => identity.close());
  const posts = await startPosts({ ...shared, config: postsConfig, registry });
  closers.push(() => posts.close());
  const social = await startSocial({ ...shared, config: socialConfig, registry });
  closers.push(() => social.close());
  // After the last request, before the stores that consumers write to are closed.
  closers.push(() => bus.stop());
  await bus.start();

  const clients: PulsoClients = {
    identity: createRpcClient(
      { name: 'pulso.identity.v1.IdentityService', definition: IdentityServiceService },
      transport,
    ),
    posts: createRpcClient(POSTS_SERVICE, transport),
    social: createRpcClient(SOCIAL_SERVICE, transport),
  };
  const operations = await startOperationsServer({
    port: options.operationsPort,
    host: '127.0.0.1',
    checks: {
      ...prefixed('identity', identity.checks),
      ...prefixed('posts', posts.checks),
      ...prefixed('social', social.checks),
    },
    registry,
  });
  closers.push(() => operations.close());
  const gateway = await startGateway({
    config: {
      port: options.port,
      host: '0.0.0.0',
      operationsPort: null,
      publicUrl: options.publicUrl,
      accessTokenJwks,
      pulsoAfterSecrets: secrets.pulsoAfter,
      rateLimitFactor: options.rateLimitFactor,
      trustedProxies: 0,
      staticDirectory: options.staticDirectory,
      marketing: options.marketing,
    },
    clients,
    maxEventLoopDelayMs: options.maxEventLoopDelayMs,
    clock,
    logger,
    registry,
  });
  closers.push(() => gateway.close());
  operations.setReady(true);

  const services = { identity, posts, social };
  return {
    url: gateway.url,
    port: gateway.port,
    operationsPort: operations.port,
    clients,
    bus,
    drainEvents: (timeoutMs) =>
      drainEvents({ relays: [identity.relay, posts.relay, social.relay], bus, timeoutMs }),
    republish: (service, noun) => services[service].republish(noun),
    drain: (service) => services[service].drain(),
    close: closeAll,
  };
}

const prefixed = (service: string, checks: Record<string, () => Promise<void>>) =>
  Object.fromEntries(Object.entries(checks).map(([name, check]) => [`${service}.${name}`, check]));
