import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createAccessTokenVerifier } from '@pulso/platform/auth/access-token';
import { startOperationsServer } from '@pulso/platform/health/operations-server';
import type { Logger } from '@pulso/platform/logging/logger';
import { NestLogger } from '@pulso/platform/logging/nest-logger';
import { createRegistry } from '@pulso/platform/telemetry/metrics';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import type { FastifyInstance } from 'fastify';
import { Authenticator } from './auth/authenticate.js';
import { EndedSessions } from './auth/ended-sessions.js';
import type { EndedSessionsSignals } from './auth/ended-sessions-signals.js';
import type { GatewayClients } from './clients.js';
import type { GatewayConfig } from './config.js';
import { GatewayModule } from './gateway.module.js';
import { Drain } from './http/drain.js';
import { addEdgeHooks, type EdgeOptions } from './edge/edge-hooks.js';
import { EventLoopGuard } from './http/event-loop-guard.js';
import { createAdapter } from './http/fastify-adapter.js';
import { HttpMetrics, type Registry } from './http/http-metrics.js';
import { acceptJsonBodies } from './http/json-body.js';
import { RequestContextHook } from './edge/request-context-hook.js';
import { RouteTable } from './http/route-table.js';
import { securityHeaders } from './http/security-headers.js';
import { answerUnrouted } from './http/unrouted.js';
import { serveSwaggerUi } from './openapi/docs-page.js';
import { createDocument } from './openapi/document.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { PulsoAfter } from './pulso-after/pulso-after.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';
import { InMemoryRateLimitStore, type RateLimitStore } from './rate-limit/rate-limit-store.js';
import { StaticFiles } from './http/static-files.js';

export interface GatewayOptions {
  config: GatewayConfig;
  clients: GatewayClients;
  /** Of /healthz, /readyz and /metrics, 0 for any free one; unless given, the surrounding process serves them. */
  operationsPort?: number;
  /** In memory unless given: one gateway alone. */
  rateLimits?: RateLimitStore;
  /** To and from the other gateways, where there are any. */
  endedSessions?: EndedSessionsSignals;
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
/** Bodies below are not worth compressing. */
const COMPRESS_FROM_BYTES = 1024;
const BROTLI_QUALITY = 4;

/** The HTTP edge over `clients` (docs/http-api.md); listens when it resolves. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, clients, operationsPort, logger, clock = systemClock } = options;
  const registry = options.registry ?? (operationsPort === undefined ? undefined : createRegistry('gateway'));
  const guard = new EventLoopGuard(config.MAX_EVENT_LOOP_DELAY_MS);
  const ended = new EndedSessions(clients.identity, clock, logger, options.endedSessions);
  const limits = options.rateLimits ?? new InMemoryRateLimitStore(clock);
  const limiter = new RateLimiter(limits, clock, config.RATE_LIMIT_FACTOR);
  const pulsoAfter = new PulsoAfter(config.PULSO_AFTER_SECRETS, clock);
  const verifier = createAccessTokenVerifier({ jwks: config.ACCESS_TOKEN_JWKS, clock });
  const edge: EdgeOptions = {
    headers: securityHeaders(config.PUBLIC_URL),
    routes: new RouteTable(),
    guard,
    drain: new Drain(),
    limiter,
    context: new RequestContextHook(new Authenticator(verifier, ended), limiter, pulsoAfter, clock),
    pulsoAfter,
    staticFiles: null,
    metrics: registry && new HttpMetrics(registry, guard),
    logger,
  };
  const adapter = createAdapter({
    trustedProxies: config.TRUSTED_PROXIES,
    answerUnrouted: (request, reply) => {
      reply.headers(edge.headers).header('x-request-id', request.id);
      answerUnrouted(request, reply, edge);
    },
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  addEdgeHooks(fastify, edge);
  acceptJsonBodies(fastify);
  await fastify.register(cookie);
  await fastify.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  await serveSwaggerUi(fastify);
  if (config.STATIC_DIR) edge.staticFiles = await StaticFiles.open(fastify, config.STATIC_DIR);

  const module = GatewayModule.with({ config, clients, ended, limiter, logger });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  await app.init();
  app.get(OpenApiController).publish(createDocument(app));
  const operations = await startOperations(operationsPort, registry, ended);
  const close = async () => {
    operations?.setReady(false);
    await edge.drain.begin();
    guard.close();
    const last = setTimeout(() => fastify.server.closeAllConnections(), CLOSE_AFTER_MS);
    await app.close().finally(() => clearTimeout(last));
    await ended.stop();
    await operations?.close();
  };
  try {
    // Nest's listen() would log the failure and also reject with it.
    await fastify.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    await close();
    throw error;
  }
  guard.start();
  ended.start();
  operations?.setReady(true);
  const { port } = fastify.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, operationsPort: operations?.port, close };
}

async function startOperations(
  port: number | undefined,
  registry: Registry | undefined,
  ended: EndedSessions,
) {
  if (port === undefined || !registry) return undefined;
  // A service that is down does not make the gateway unready, but the list of ended sessions must be known.
  return startOperationsServer({ port, registry, checks: { 'ended sessions': () => ended.known() } });
}
