import { unavailable } from '@pulso/platform/errors/domain-error';
import type { Logger } from '@pulso/platform/logging/logger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../errors/send-problem.js';
import { PULSO_AFTER, type PulsoAfter } from '../pulso-after/pulso-after.js';
import { addressKey } from '../rate-limit/address-key.js';
import type { RateLimiter } from '../rate-limit/rate-limiter.js';
import type { StaticFiles } from '../http/static-files.js';
import type { Drain } from '../http/drain.js';
import { endpointOf, isRead } from '../http/endpoint.js';
import type { EventLoopGuard } from '../http/event-loop-guard.js';
import type { HttpMetrics } from '../http/http-metrics.js';
import type { RequestContextHook } from './request-context-hook.js';
import type { RouteTable } from '../http/route-table.js';
import { sendLater } from '../http/send-later.js';
import { answerUnrouted } from '../http/unrouted.js';

export interface EdgeOptions {
  headers: Readonly<Record<string, string>>;
  routes: RouteTable;
  guard: EventLoopGuard;
  drain: Drain;
  limiter: RateLimiter;
  context: RequestContextHook;
  pulsoAfter: PulsoAfter;
  staticFiles: StaticFiles | null;
  metrics: HttpMetrics | undefined;
  logger: Logger;
}

/**
 * Everything that happens around the handlers, as Fastify hooks: a Nest guard, pipe or interceptor would cost a feed
 * page several promises and an observable.
 */
export function addEdgeHooks(fastify: FastifyInstance, options: EdgeOptions): void {
  fastify.decorateRequest('pulso', null);
  fastify.addHook('onRoute', (route) => options.routes.add(route));

  fastify.addHook('onRequest', (request, reply, done) => {
    options.drain.note();
    reply.headers(options.headers).header('x-request-id', request.id);
    if (request.is404) return answerUnrouted(request, reply, options);
    if (options.guard.overloaded) return sendProblem(unavailable(BUSY), request, reply);
    forgetEmptyBody(request);
    admitAddress(request, options.limiter, done);
  });

  fastify.addHook('preValidation', (request, reply, done) => {
    const endpoint = endpointOf(request);
    if (endpoint && !endpoint.shared) {
      reply.header('vary', 'Authorization').header('cache-control', 'private, no-cache');
    }
    options.context.handle(request, reply, done);
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (options.drain.isOn) reply.header('connection', 'close');
    const state = request.pulso;
    if (state?.viewerId && !isRead(request.method)) {
      const { viewerId, context } = state;
      // A client that has just signed in may have sent the header of its earlier session.
      const before = context.caller
        ? state.before
        : options.pulsoAfter.read(request.headers[PULSO_AFTER], viewerId);
      reply.header(PULSO_AFTER, options.pulsoAfter.write(viewerId, before, context.wrote));
    }
    sendLater(reply, payload, done, options.logger);
  });

  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unrouted';
    const { statusCode } = reply;
    options.metrics?.answered(request.method, route, statusCode, reply.elapsedTime);
    request.pulso?.span?.end({
      attributes: { 'http.response.status_code': statusCode },
      ...(statusCode >= 500 ? { error: statusCode } : {}),
    });
    if (options.logger.isLevelEnabled('info')) logAnswer(options.logger, request, reply, route);
    done();
  });
}

function logAnswer(logger: Logger, request: FastifyRequest, reply: FastifyReply, route: string): void {
  const { id: requestId, method } = request;
  const milliseconds = Math.round(reply.elapsedTime);
  // The route, not the URL: query strings and ids are personal and do not belong in a log.
  logger.info({ requestId, method, route, status: reply.statusCode, milliseconds }, 'answered');
}

const BUSY = 'Pulso is busy. Please try again in a moment.';

/** Per address; stays synchronous with a store in memory. */
function admitAddress(request: FastifyRequest, limiter: RateLimiter, done: (error?: Error) => void): void {
  const strict = endpointOf(request)?.limit?.address;
  const address = addressKey(request.ip);
  try {
    const general = limiter.take('any-address', address);
    const stricter = strict && limiter.take(strict, address);
    if (!general && !stricter) return done();
    Promise.all([general, stricter]).then(() => done(), done);
  } catch (error) {
    done(error as Error);
  }
}

/** A content type without a body is ignored: some clients always send one. */
function forgetEmptyBody({ headers }: FastifyRequest): void {
  if (headers['transfer-encoding'] !== undefined) return;
  const length = headers['content-length'];
  if (length === undefined || length === '0') delete headers['content-type'];
}
