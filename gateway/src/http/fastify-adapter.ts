import type { Server } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BODY_BYTES } from './endpoint.js';
import { answerWhatNodeWould, refuseConnection } from './refused-connection.js';
import { requestIdOf } from './request-id.js';

/** From the first byte on (LIMIT-8); Node looks for late ones at each interval. Bodies have their `RequestTimeouts`. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15 * 60_000;
const TIMEOUT_CHECK_MS = 5_000;
const KEEP_ALIVE_MS = 65_000;
/** Longer than any header that Node lets through: an over-long id is a 404 like any other. */
const MAX_PARAM_LENGTH = 32_768;

export interface AdapterOptions {
  trustedProxies: number;
  /** Of every answer, also of those that no hook sees. */
  headers: Readonly<Record<string, string>>;
  /** For what the router refuses before any hook runs: a path that is not properly encoded. */
  answerUnrouted(request: FastifyRequest, reply: FastifyReply): void;
}

export function createAdapter({ trustedProxies, headers, answerUnrouted }: AdapterOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    // Fastify would make a child logger for each request, which is slow; our log lines have the request's id anyway.
    logger: false,
    bodyLimit: BODY_BYTES.post,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Node's own refusal would lack our headers; a hook looks at `Host`.
      requireHostHeader: false,
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    // While closing, the gateway still answers requests on open connections; Fastify's 503 is no problem document.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: requestIdOf,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // We use no Express-style middleware; its engine would run for each request.
    skipMiddie: true,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      answerUnrouted(request, reply),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, headers),
  });
  answerWhatNodeWould(adapter.getHttpServer<Server>(), headers);
  return adapter;
}
