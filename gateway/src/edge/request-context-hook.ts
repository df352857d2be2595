import { Cancellation } from '@pulso/platform/context/cancellation';
import { type Caller, type RequestContext, runInContext } from '@pulso/platform/context/request-context';
import { notAuthenticated, validationFailed } from '@pulso/platform/errors/domain-error';
import { cancelled } from '@pulso/platform/rpc/rpc-status';
import { readTraceparent } from '@pulso/platform/telemetry/traceparent';
import { beginSpan } from '@pulso/platform/telemetry/tracing';
import type { Clock } from '@pulso/platform/time/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticate.js';
import { HttpProblem } from '../errors/http-problem.js';
import { PULSO_AFTER, type PulsoAfter } from '../pulso-after/pulso-after.js';
import type { RequestLimits } from './request-limits.js';
import { endpointOf, type EndpointConfig, isRead, routedOf } from '../http/endpoint.js';
import { BrokenJson, TooManyValues } from '../http/bodies/json-body.js';
import type {} from '../http/request-state.js';

/** What a request may take, everything behind included (LIMIT-5). */
const BUDGET_MS = 5_000;

/**
 * Runs after the body has been read (413 and 415 come first): authenticates, then looks at the body (401 before 400),
 * then goes on inside the request's context (HTTP-16).
 */
export class RequestContextHook {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    private readonly pulsoAfter: PulsoAfter,
    private readonly clock: Clock,
  ) {}

  handle(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const endpoint = endpointOf(request);
    if (!endpoint) return done();
    let checked: Caller | null | Promise<Caller | null>;
    try {
      checked = this.check(request, endpoint);
    } catch (error) {
      return done(error as Error);
    }
    // Most tokens have been seen before: no promise for those.
    if (!(checked instanceof Promise)) return this.enter(request, reply, checked, done);
    checked.then(
      (caller) => this.enter(request, reply, caller, done),
      (error: Error) => done(error),
    );
  }

  private check(request: FastifyRequest, endpoint: EndpointConfig): Caller | null | Promise<Caller | null> {
    const caller = this.authenticator.authenticate(request.headers.authorization);
    if (caller instanceof Promise) return caller.then((known) => this.admit(request, endpoint, known));
    return this.admit(request, endpoint, caller);
  }

  private admit(
    request: FastifyRequest,
    endpoint: EndpointConfig,
    caller: Caller | null,
  ): Caller | null | Promise<Caller | null> {
    if (!caller && endpoint.access === 'private') throw notAuthenticated();
    const admitted = this.limits.admit(request, endpoint, caller);
    checkBody(request, endpoint);
    return admitted ? admitted.then(() => caller) : caller;
  }

  private enter(request: FastifyRequest, reply: FastifyReply, caller: Caller | null, done: () => void): void {
    const viewerId = caller?.userId ?? null;
    const before = this.pulsoAfter.read(request.headers[PULSO_AFTER], viewerId);
    const { authorization } = request.headers;
    const parent = traceparentOf(request);
    const { method, url, key } = routedOf(request);
    const span = beginSpan({
      name: key,
      kind: 'server',
      parent,
      attributes: { 'http.request.method': method, 'http.route': url },
    });
    const context: RequestContext = {
      requestId: request.id,
      authorization,
      caller,
      deadline: this.clock.now() + BUDGET_MS,
      cancellation: cancellationOf(request, reply),
      after: before,
      wrote: [],
      traceparent: span?.traceparent ?? parent,
    };
    request.pulso = { context, before, viewerId, span };
    runInContext(context, done);
  }
}

function traceparentOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
  return readTraceparent(typeof traceparent === 'string' ? traceparent : undefined);
}

/** Ends when a reader hangs up. A write goes on: its caller may repeat it and must find it done. */
function cancellationOf(request: FastifyRequest, reply: FastifyReply): Cancellation {
  const cancellation = new Cancellation();
  const hungUp = () => {
    if (!reply.raw.writableFinished) cancellation.end(cancelled());
  };
  if (isRead(request.method)) {
    // Its limits may have been counted in other processes meanwhile: its `close` would not come again.
    if (reply.raw.destroyed) hungUp();
    else reply.raw.once('close', hungUp);
  }
  return cancellation;
}

function checkBody({ body }: FastifyRequest, endpoint: EndpointConfig): void {
  if (body === undefined) return;
  if (body instanceof BrokenJson) throw new HttpProblem('invalid-json', 'The body is not valid JSON.');
  if (body instanceof TooManyValues) {
    throw validationFailed([{ path: '', message: 'Has too many values', code: 'too-many' }]);
  }
  if (!endpoint.bodyless) return;
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0;
  if (!isEmpty) {
    throw validationFailed([{ path: '', message: 'This call takes no body', code: 'unknown-field' }]);
  }
}
