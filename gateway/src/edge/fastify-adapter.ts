import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { boundChunks } from '../http/bodies/body-chunks.js';
import { BODY_BYTES, type EndpointConfig } from '../http/endpoint.js';
import { isPipelined, parseNoMore } from '../http/guards/is-pipelined.js';
import { answerWhatNodeWould, refuseConnection } from '../http/guards/refused-connection.js';
import { requestIdOf } from '../http/request-id.js';
import { leadNowhere, readTarget, type TargetedRequest } from '../http/request-target.js';
import { reset } from '../http/guards/reset.js';

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
  /** Asked before the router with each request that has a path; what it has answered goes no further. */
  answersItself?(request: IncomingMessage, response: ServerResponse): boolean;
}

export function createAdapter({ trustedProxies, headers, answersItself }: AdapterOptions): FastifyAdapter {
  const adapter = new GatewayAdapter({
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
    frameworkErrors: (_error: Error, { raw }: FastifyRequest, reply: FastifyReply) =>
      routeNowhere(adapter, raw, reply.raw),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, headers),
  });
  const server = adapter.getHttpServer<Server>();
  answerWhatNodeWould(server, headers);
  standBeforeRouter(server, answersItself);
  boundChunks(server, headers);
  return adapter;
}

/** A reply is a promise of its end, for which Nest would wait: eight listeners for each answer, with nothing to do at the end. */
class GatewayAdapter extends FastifyAdapter {
  override reply(...answer: Parameters<FastifyAdapter['reply']>): never {
    super.reply(...answer);
    // Nest awaits the result, and does nothing else with it.
    return undefined as never;
  }
}

/**
 * Lets Nest's handler of an `@Endpoint` send its answer, and waits for nothing; to be called `onRoute`. Fastify would chain
 * promises to the handler's, with nothing to do at the end.
 */
export function letSend(route: RouteOptions): void {
  if (!(route.config as { endpoint?: EndpointConfig } | undefined)?.endpoint) return;
  const { handler } = route;
  route.handler = function sendItself(request, reply) {
    const handled = handler.call(this, request, reply) as unknown;
    // Nest answers what a handler throws; this is for what its filter throws.
    if (handled instanceof Promise) handled.catch((error: Error) => reply.send(error));
  };
}

/** The router answers a path that is not properly encoded past all hooks, and so past every limit. */
function routeNowhere(adapter: FastifyAdapter, request: TargetedRequest, response: ServerResponse): void {
  leadNowhere(request);
  adapter.getInstance<FastifyInstance>().routing(request, response);
}

/** A pipelined request ends its connection. */
function standBeforeRouter(server: Server, answersItself: AdapterOptions['answersItself']): void {
  const [route] = server.listeners('request') as [RequestListener];
  server.off('request', route).on('request', (request, response) => {
    if (isPipelined(request, response)) {
      parseNoMore(request.socket);
      return reset(request.socket);
    }
    readTarget(request);
    if (!answersItself?.(request, response)) route(request, response);
  });
}
