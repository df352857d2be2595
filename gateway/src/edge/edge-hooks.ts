import { cancelled } from '@pulso/platform/rpc/rpc-status';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../errors/http-problem.js';
import { sendProblem } from '../errors/send-problem.js';
import { endpointOf, isRead, isUnrouted, routedOf } from '../http/endpoint.js';
import { letSend } from './fastify-adapter.js';
import { RAW_BODY } from '../http/bodies/json-body.js';
import { checkUpload, forgetBody, keepUpload } from '../http/kinds/upload-form.js';
import { hasBadHost } from '../http/guards/refused-connection.js';
import { hasBody } from '../http/guards/request-timeouts.js';
import { holdAnswer, isSecondAnswer, sendLater } from '../http/bodies/send-later.js';
import { PULSO_AFTER, PULSO_STALE } from '../pulso-after/pulso-after.js';
import { answerUnrouted } from './answer-unrouted.js';
import { arrive, type Done, type EdgeOptions, isLeaving, logAnswer, refuseOverload } from './edge-options.js';
import { isCall } from './refuse-before-routing.js';

/**
 * Everything that happens around the handlers, as Fastify hooks: a Nest guard, pipe or interceptor would cost a feed
 * page several promises and an observable.
 */
export function addEdgeHooks(fastify: FastifyInstance, options: EdgeOptions): void {
  for (const name of ['pulso', 'refusal', 'taken', 'upload', 'place', 'routed', 'address', 'waiting'])
    fastify.decorateRequest(name, null);
  fastify.addHook('onRoute', (route) => {
    options.routes.add(route);
    options.streams.addTo(route);
    letSend(route);
  });

  fastify.addHook('onRequest', (request, reply, done) => {
    options.drain.note();
    options.proxyNotice?.look(request.raw);
    const unrouted = isUnrouted(request);
    if (!unrouted && isOverloaded(request, options)) return refuseOverload(request, reply, options);
    reply.headers(options.headers).header('x-request-id', request.id);
    if (hasBadHost(request.raw)) {
      return sendProblem(new HttpProblem('bad-request'), request, reply.header('connection', 'close'));
    }
    if (unrouted) return answerUnrouted(request, reply, options);
    const endpoint = endpointOf(request);
    if (endpoint && !endpoint.shared) {
      reply.header('vary', 'Authorization').header('cache-control', 'private, no-cache');
    }
    // A content type without a body is ignored: some clients always send one.
    if (!hasBody(request)) delete request.headers['content-type'];
    else if (endpoint?.rawBody) request.headers['content-type'] = RAW_BODY;
    if (endpoint?.bodyless === 'ignored') forgetBody(request);
    keepUpload(request);
    arrive(request, options.limits, done);
  });

  fastify.addHook('preValidation', (request, reply, done) => {
    // Streams are long and cost nothing while they wait; they have bounds of their own.
    if (isLong(request)) return enterStream(request, reply, options, done);
    const handle = (then: Done) => options.context.handle(request, reply, then);
    const enter = (then: Done) => takePlace(request, reply, options, then);
    // Whoever guesses a password is made to wait, and must not keep others from the route meanwhile (ACCT-14).
    const [first, second] = options.limits.mayDelay(endpointOf(request)) ? [handle, enter] : [enter, handle];
    first((error) => (error ? done(error) : second(done)));
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isSecondAnswer(request, options.logger)) return;
    if (isLeaving(options) || asksTooMuch(request, reply)) reply.header('connection', 'close');
    request.place?.();
    // Streams of events look after their readers themselves; what comes here refuses one.
    const hasRoom = options.unread.begin(request, reply, payload);
    if (!hasRoom) request.refusal = 'unavailable';
    const state = request.pulso;
    if (state?.viewerId && !isRead(request.method)) {
      const { viewerId, context } = state;
      // A client that has just signed in may have sent the header of its earlier session.
      const before = context.caller
        ? state.before
        : options.pulsoAfter.read(request.headers[PULSO_AFTER], viewerId);
      reply.header(PULSO_AFTER, options.pulsoAfter.write(viewerId, before, context.wrote));
    }
    if (state?.context.stale && isRead(request.method)) reply.header(PULSO_STALE, '1');
    const settled = options.limits.settle(request);
    holdAnswer(request, reply);
    const send = () =>
      hasRoom
        ? sendLater(request, reply, payload, done, options.logger)
        : refuseOverload(request, reply, options);
    if (!settled) return send();
    settled.then(send, (error: Error) => {
      // Another answer takes the place of this one.
      request.waiting = null;
      done(error);
    });
  });

  fastify.addHook('onResponse', (request, reply, done) => {
    if (options.drain.isOver) request.raw.socket.destroySoon();
    const route = routedOf(request).url ?? 'unrouted';
    const { statusCode } = reply;
    // How long a stream was open is not how long an answer took.
    if (statusCode >= 300 || !isLong(request))
      options.metrics?.answered(request.method, route, statusCode, reply.elapsedTime);
    request.pulso?.span?.end({
      attributes: { 'http.response.status_code': statusCode },
      ...(statusCode >= 500 ? { error: statusCode } : {}),
    });
    logAnswer(options.logger, {
      requestId: request.id,
      method: request.method,
      route,
      status: statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    });
    done();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives the request's place of its route back, once; null without one. */
    place: (() => void) | null;
  }
}

/** Whether bytes or events flow for as long as it takes. */
const isLong = (request: FastifyRequest) => (endpointOf(request)?.kind ?? 'json') !== 'json';

/** From here to the handler nothing waits, so that it need not ask again whether the client is still there. */
function enterStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { context }: EdgeOptions,
  done: Done,
): void {
  try {
    checkUpload(request);
  } catch (error) {
    return done(error as Error);
  }
  context.handle(request, reply, (error) => done(error ?? whenLeft(reply)));
}

/** Limits are counted in other processes, and a client may have left meanwhile: its `close` would not come again. */
function whenLeft({ raw }: FastifyReply): Error | undefined {
  return raw.destroyed ? cancelled() : undefined;
}

/** A place of the route (LIMIT-9), from when the body is there: one that arrives slowly takes none. */
function takePlace(request: FastifyRequest, reply: FastifyReply, options: EdgeOptions, done: Done): void {
  const left = whenLeft(reply);
  if (left) return done(left);
  const { concurrency, limits } = options;
  const { key: route } = routedOf(request);
  if (concurrency.enter(route)) {
    // It is given back when the answer is ready, so that a client that does not read it holds none, or when the client leaves.
    request.place = () => {
      request.place = null;
      concurrency.leave(route);
    };
    reply.raw.once('close', () => request.place?.());
    return done();
  }
  request.refusal = 'unavailable';
  const refuse = () => refuseOverload(request, reply, options);
  const settled = limits.settle(request);
  if (settled) settled.then(refuse, done);
  else refuse();
}

function isOverloaded(request: FastifyRequest, { guard, concurrency }: EdgeOptions): boolean {
  const isLate = !isCall(request.raw) && !guard.admit();
  return isLate || concurrency.isFull(routedOf(request).key);
}

/** Keeps no connection for it (LIMIT-12); a client whose body is still on its way could not read the answer. */
const asksTooMuch = (request: FastifyRequest, { statusCode }: FastifyReply) =>
  statusCode === 429 && (request.raw.complete || !(hasBody(request) || request.upload));
