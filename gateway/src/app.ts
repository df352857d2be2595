import 'reflect-metadata';
import { type AddressInfo, isIPv6 } from 'node:net';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createAccessTokenVerifier } from '@pulso/platform/auth/access-token';
import { startOperationsServer } from '@pulso/platform/health/operations-server';
import type { Logger } from '@pulso/platform/logging/logger';
import { NestLogger } from '@pulso/platform/logging/nest-logger';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import type { Signals } from '@pulso/platform/signals/signals';
import { hostAndPort } from '@pulso/platform/process/all-addresses';
import { createRegistry } from '@pulso/platform/telemetry/metrics';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import type { FastifyInstance } from 'fastify';
import { Authenticator } from './auth/authenticate.js';
import { EndedSessions } from './auth/ended-sessions.js';
import type { GatewayClients } from './connect-services.js';
import type { GatewayConfig } from './config.js';
import { GatewayModule, type GatewayParts } from './gateway.module.js';
import type { DevMailbox } from './dev-mail/dev-mailbox.js';
import { serveDevMail } from './dev-mail/serve-dev-mail.js';
import { Drain } from './http/guards/drain.js';
import { addEdgeHooks } from './edge/edge-hooks.js';
import type { EdgeOptions } from './edge/edge-options.js';
import { refuseBeforeRouting } from './edge/refuse-before-routing.js';
import { OverloadRefusal } from './http/guards/refuse-overload.js';
import { BodyMemory } from './http/bodies/body-memory.js';
import { Connections, connectionsPerAddress, type ConnectionLimits } from './http/guards/connections.js';
import { connectionsInAll } from './http/guards/open-files.js';
import { EventLoopGuard } from './http/guards/event-loop-guard.js';
import { createAdapter } from './edge/fastify-adapter.js';
import { ProxyNotice } from './http/guards/proxy-notice.js';
import { type EventStreamLimits, EventStreams } from './http/kinds/event-streams.js';
import { HttpMetrics, type Registry } from './http/guards/http-metrics.js';
import { acceptBodies } from './http/bodies/json-body.js';
import { RequestContextHook } from './edge/request-context-hook.js';
import { RequestTimeouts } from './http/guards/request-timeouts.js';
import { MediaBytesClient } from './media/media-bytes-client.js';
import { RouteTable } from './http/route-table.js';
import { securityHeaders } from './http/pages/security-headers.js';
import { serveSwaggerUi } from './openapi/docs-page.js';
import { GuestPages, type GuestPageLimits } from './guest-pages/guest-pages.js';
import { PageAbout } from './guest-pages/page-about.js';
import { headHtml } from './guest-pages/page-head.js';
import { PageHeads } from './guest-pages/page-heads.js';
import { createDocument } from './openapi/document.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { PulsoAfter } from './pulso-after/pulso-after.js';
import { RefreshCookie } from './auth/refresh-cookie.js';
import { RequestLimits } from './edge/request-limits.js';
import { type Delay, RateLimiter } from './rate-limit/rate-limiter.js';
import { InMemoryRateLimitStore, type RateLimitStore } from './rate-limit/rate-limit-store.js';
import { RouteConcurrency } from './http/guards/route-concurrency.js';
import { UnreadAnswers, type UnreadLimits } from './http/guards/unread-answers.js';
import { UnusedConnections } from './http/guards/unused-connections.js';
import { StaticFiles } from './http/pages/static-files.js';
import { serveSearchEngines } from './search-engines/serve-search-engines.js';
import { Sitemap, type SitemapLimits } from './search-engines/sitemap.js';

export interface GatewayOptions {
  config: GatewayConfig;
  clients: GatewayClients;
  /** Of /healthz, /readyz and /metrics, 0 for any free one; unless given, the surrounding process serves them. */
  operationsPort?: number;
  /** In memory unless given: one gateway alone. */
  rateLimits?: RateLimitStore;
  /** How answers come later where a limit delays: by a timer unless given. */
  delay?: Delay;
  /** Of the services and the other gateways; this gateway's own unless given. */
  signals?: Signals;
  /** Shown at `/dev/mail`; none in production. */
  devMail?: DevMailbox;
  /** Requests of one route that are served at once: 200 unless given. */
  maxConcurrentPerRoute?: number;
  /** Of answers that are not read; see `UnreadAnswers`. */
  unread?: Partial<UnreadLimits>;
  /** See `Connections`; as the settings say unless given. */
  connections?: Partial<ConnectionLimits>;
  /** How long no request may come before connections are closed: 250 ms unless given. */
  drainQuietMs?: number;
  /** Of server-sent events; see `EventStreams`. */
  eventStreams?: Partial<EventStreamLimits>;
  /** See `EventHub`: a second unless given. */
  readEveryMs?: number;
  /** Of uploads and deliveries of files; see `ForwardUpload` and `DeliverFile`. */
  mediaLimits?: GatewayParts['mediaLimits'];
  /** Of rendered pages; see `GuestPages`. */
  guestPageLimits?: Partial<GuestPageLimits>;
  /** See `Sitemap`. */
  sitemapLimits?: Partial<SitemapLimits>;
  clock?: Clock;
  logger: Logger;
  registry?: Registry;
}

export interface RunningGateway {
  /** Where it listens, on loopback. */
  url: string;
  port: number;
  /** Of /healthz, /readyz and /metrics, where this gateway serves them. */
  operationsPort?: number;
  /** Ends within 5 s: clients are asked to leave, requests under way are finished, then connections are closed. */
  close(): Promise<void>;
}

const CLOSE_AFTER_MS = 4_000;
/** What was sent when the gateway stopped listening has come by then. */
const CLOSE_UNUSED_AFTER_MS = 250;
/** Bodies below are not worth compressing. */
const COMPRESS_FROM_BYTES = 1024;
const BROTLI_QUALITY = 4;

/** The HTTP edge over `clients` (docs/http-api.md); listens when it resolves. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, clients, operationsPort, logger, clock = systemClock } = options;
  const registry = options.registry ?? (operationsPort === undefined ? undefined : createRegistry('gateway'));
  const guard = new EventLoopGuard(config.MAX_EVENT_LOOP_DELAY_MS);
  const signals = options.signals ?? new InProcessSignals();
  const ended = new EndedSessions({
    identity: clients.identity,
    clock,
    logger,
    registry,
    signals,
  });
  const store = options.rateLimits ?? new InMemoryRateLimitStore(clock);
  const limiter = new RateLimiter(store, clock, config.RATE_LIMIT_FACTOR, options.delay);
  const limits = new RequestLimits(limiter, new RefreshCookie(config));
  const pulsoAfter = new PulsoAfter(config.PULSO_AFTER_SECRETS, clock);
  const verifier = createAccessTokenVerifier({ jwks: config.ACCESS_TOKEN_JWKS, clock });
  const authenticator = new Authenticator(verifier, ended);
  const headers = securityHeaders(config.PUBLIC_URL);
  const connections = new Connections(
    {
      perAddress: connectionsPerAddress(config.RATE_LIMIT_FACTOR, config.TRUSTED_PROXIES),
      all: connectionsInAll(config.MAX_CONNECTIONS, logger),
      ...options.connections,
    },
    registry,
  );
  const unread = new UnreadAnswers(options.unread);
  const proxyNotice = config.TRUSTED_PROXIES === 0 ? new ProxyNotice(logger, clock) : undefined;
  proxyNotice?.begin(config.PUBLIC_URL);
  const about = new PageAbout(config.PUBLIC_URL, (path) => edge.staticFiles?.aboutAt(path));
  const edge: EdgeOptions = {
    headers,
    routes: new RouteTable(),
    guard,
    streams: new EventStreams({ ended, clock, registry, limits: options.eventStreams }),
    concurrency: new RouteConcurrency(options.maxConcurrentPerRoute),
    overload: new OverloadRefusal(headers),
    drain: new Drain(options.drainQuietMs),
    limits,
    authenticator,
    context: new RequestContextHook(authenticator, limits, pulsoAfter, clock),
    pulsoAfter,
    staticFiles: null,
    heads: new PageHeads({ clients, about, clock, logger }),
    guestPages: null,
    metrics: registry && new HttpMetrics(registry, guard),
    connections,
    unread,
    proxyNotice,
    logger,
  };
  const adapter = createAdapter({
    trustedProxies: config.TRUSTED_PROXIES,
    headers,
    answersItself: (request, response) => refuseBeforeRouting(request, response, edge),
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const unused = new UnusedConnections(fastify.server);
  connections.watch(fastify.server);
  addEdgeHooks(fastify, edge);
  acceptBodies(fastify, { authenticator, memory: new BodyMemory() });
  await fastify.register(cookie);
  await fastify.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  await serveSwaggerUi(fastify);
  if (options.devMail) serveDevMail(fastify, options.devMail, config.PUBLIC_URL);
  if (config.STATIC_DIR) edge.staticFiles = await StaticFiles.open(fastify, config.STATIC_DIR);
  const { staticFiles } = edge;
  if (staticFiles) {
    const sitemap = new Sitemap({
      clients,
      publicUrl: config.PUBLIC_URL,
      clock,
      logger,
      limits: options.sitemapLimits,
    });
    serveSearchEngines(fastify, config.PUBLIC_URL, sitemap);
  }
  if (staticFiles?.renderPage && config.MAX_PAGE_RENDERS > 0) {
    edge.guestPages = new GuestPages({
      renderPage: staticFiles.renderPage,
      most: config.MAX_PAGE_RENDERS,
      about,
      compose: ({ facts, ...head }, rendered) =>
        staticFiles.compose({ head: headHtml(head), facts, rendered }),
      routing: fastify.routing,
      logger,
      registry,
      limits: options.guestPageLimits,
    });
  }

  const timeouts = new RequestTimeouts(fastify.server);
  const { mediaLimits, readEveryMs } = options;
  const module = GatewayModule.with({
    config,
    clients,
    ended,
    pulsoAfter,
    signals,
    clock,
    logger,
    timeouts,
    readEveryMs,
    mediaLimits,
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  await app.init();
  app.get(OpenApiController).publish(() => createDocument(app));
  const operations = await startOperations(operationsPort, registry, ended);
  const close = async () => {
    operations?.setReady(false);
    edge.streams.drain();
    await edge.drain.begin();
    guard.close();
    const timers = [
      setTimeout(() => unused.close(), CLOSE_UNUSED_AFTER_MS),
      setTimeout(() => fastify.server.closeAllConnections(), CLOSE_AFTER_MS),
    ];
    await app.close().finally(() => timers.forEach((timer) => clearTimeout(timer)));
    timeouts.close();
    unread.close();
    await app.get(MediaBytesClient).close();
    await ended.stop();
    await operations?.close();
  };
  // Calls with a token are refused until the list has been read: where identity answers, before the first of them.
  await ended.start();
  try {
    // Nest's listen() would log the failure and also reject with it.
    await fastify.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    await close();
    throw error;
  }
  guard.start();
  operations?.setReady(true);
  const { port } = fastify.server.address() as AddressInfo;
  const loopback = isIPv6(config.HOST) && config.HOST !== '::' ? '::1' : '127.0.0.1';
  const url = `http://${hostAndPort(loopback, port)}`;
  return { url, port, operationsPort: operations?.port, close };
}

async function startOperations(
  port: number | undefined,
  registry: Registry | undefined,
  ended: EndedSessions,
) {
  if (port === undefined || !registry) return undefined;
  // A service that is down does not make the gateway unready, but the list of ended sessions must be known.
  return startOperationsServer({ port, registry, checks: { 'ended sessions': () => known(ended) } });
}

async function known(ended: EndedSessions): Promise<void> {
  if (!ended.isKnown) throw new Error('not read yet');
}
