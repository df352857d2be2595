import type { MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { AccessTokenVerifier } from '../auth/access-token.js';
import type { Cancellation } from '../context/cancellation.js';
import {
  runInContext,
  type Caller,
  type RequestContext,
  type ConsistencyToken,
} from '../context/request-context.js';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { isStoreTrouble } from '../errors/store-trouble.js';
import { waitForTokens, type ConsistencyGate, type ConsistencyWaits } from '../events/consistency-gate.js';
import { newId } from '../ids/uuid-v7.js';
import type { Logger } from '../logging/logger.js';
import { beginSpan, type TracedWork } from '../telemetry/tracing.js';
import type { Clock } from '../time/clock.js';
import type { RpcAnswer, RpcCall } from './rpc-channel.js';
import type { RpcMetrics } from './rpc-metrics.js';
import { internalError, payloadTooLarge, toStatusError } from './rpc-status.js';
import {
  MAX_MESSAGE_BYTES,
  asBuffer,
  byteLengthOf,
  type RpcMethodDefinition,
  type RpcService,
} from './service-definition.js';
import {
  AFTER,
  AUTHORIZATION,
  NO_METADATA,
  REQUEST_ID,
  STALE,
  TRACEPARENT,
  WROTE,
  decodeTokens,
  encodeTokens,
  type WireMetadata,
} from './wire-metadata.js';
import { withCancellation } from './with-cancellation.js';

/** How long a stop waits for running calls; the whole stop may take 5 s. */
export const DRAIN_TIMEOUT_MS = 4_000;
export interface RpcEndpointOptions {
  service: RpcService;
  verifier: AccessTokenVerifier;
  gate?: ConsistencyGate;
  waits: ConsistencyWaits;
  /** Waits, with its own timeout, until these writes have been delivered. */
  awaitDelivery?: (tokens: ConsistencyToken[]) => Promise<void>;
  clock: Clock;
  logger: Logger;
  metrics: RpcMetrics;
}

interface Method {
  /** `pulso.posts.v1.PostsService/getFeed`, for logs and metrics. */
  label: string;
  read: boolean;
  definition: RpcMethodDefinition;
  handler: MessageHandler;
}

/** The service side of both transports: decodes a call, runs its handler and encodes the answer. */
export class RpcEndpoint {
  private readonly methods = new Map<string, Method>();
  private running = 0;
  private idle: (() => void) | undefined;
  private draining = false;

  constructor(
    private readonly options: RpcEndpointOptions,
    handlers: ReadonlyMap<string, MessageHandler>,
  ) {
    for (const [name, handler] of handlers) {
      const definition = options.service.definition[name]!;
      const label = `${options.service.name}/${name}`;
      const read = options.service.reads.has(name);
      this.methods.set(name, { label, read, definition, handler });
      if (read && options.gate) options.metrics.awaitingRead(label);
    }
  }

  /** Rejects with RpcStatusError. */
  async unary(call: RpcCall): Promise<RpcAnswer> {
    const method = this.methods.get(call.method);
    if (this.draining || !method) throw toStatusError(unavailable());
    const started = performance.now();
    const outcome: Outcome = { wrote: [], stale: false };
    const parent = call.metadata[TRACEPARENT];
    const span = parent === undefined ? undefined : beginSpan({ name: method.label, kind: 'server', parent });
    try {
      const message = await withCancellation(
        call.budgetMs,
        call.cancellation,
        (cancellation) => this.inContext(call, method, span, outcome, cancellation),
        (error) => this.logLate(error, call, method),
      );
      this.options.metrics.handled(method.label, 'ok', performance.now() - started);
      span?.end();
      return { message, metadata: trailers(outcome) };
    } catch (error) {
      const failure = this.domainError(error, call, method);
      span?.end({ error, attributes: { 'pulso.error': failure.code } });
      this.options.metrics.handled(method.label, failure.kind, performance.now() - started);
      throw toStatusError(failure, trailers(outcome));
    }
  }

  /** Refuses new calls and waits at most `timeoutMs` for running ones. */
  async drain(timeoutMs: number): Promise<void> {
    this.draining = true;
    if (this.running === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async inContext(
    call: RpcCall,
    method: Method,
    span: TracedWork | undefined,
    outcome: Outcome,
    cancellation: Cancellation,
  ): Promise<RpcAnswer['message']> {
    this.running += 1;
    try {
      const { wrote } = outcome;
      const context = this.contextOf(call, span, wrote, cancellation);
      const caller = this.identify(context.authorization);
      context.caller = caller instanceof Promise ? await caller : caller;
      const request = decode(method, call.request);
      const inside = <T>(step: () => T) => runInContext(context, step);
      // All steps are in one async function: each further one would take a large part of a short call's time.
      if (context.after.length > 0)
        context.stale = outcome.stale = await inside(() => this.isBehind(context, method));
      const answered: unknown = await inside(() => method.handler(request));
      const answer = isObservable(answered) ? await inside(() => lastValueFrom(answered)) : answered;
      if (wrote.length > 0) await inside(() => this.waitForDelivery(wrote, method));
      return encode(method, answer);
    } finally {
      this.running -= 1;
      if (this.running === 0) this.idle?.();
    }
  }

  private contextOf(
    { metadata, budgetMs }: RpcCall,
    span: TracedWork | undefined,
    wrote: ConsistencyToken[],
    cancellation: Cancellation,
  ): RequestContext {
    return {
      requestId: metadata[REQUEST_ID] ?? newId(),
      authorization: metadata[AUTHORIZATION],
      caller: null,
      deadline: this.options.clock.now() + budgetMs,
      cancellation,
      after: metadata[AFTER] === undefined ? [] : tokensOf(metadata[AFTER]),
      wrote,
      traceparent: span?.traceparent ?? metadata[TRACEPARENT],
    };
  }

  /** A token that is sent must be valid, even if the method does not require one (HTTP-4). */
  private identify(authorization: string | undefined): Promise<Caller> | Caller | null {
    return authorization === undefined ? null : this.options.verifier.verify(authorization);
  }

  /** Waits for the caller's writes. Whether a read is to be answered without them; a write is refused then (HTTP-3). */
  private async isBehind(
    { after, cancellation, deadline }: RequestContext,
    { label, read }: Method,
  ): Promise<boolean> {
    const { gate, waits, clock, metrics } = this.options;
    if (!gate) return false;
    const timeoutMs = Math.min(read ? waits.readMs : waits.writeMs, deadline - clock.now());
    if (await waitForTokens(gate, after, { timeoutMs, signal: cancellation.signal })) return false;
    if (!read) throw unavailable();
    metrics.staleRead(label);
    return true;
  }

  /** Never rejects: the write is committed even if the wait for its delivery fails. */
  private async waitForDelivery(wrote: ConsistencyToken[], { label }: Method): Promise<void> {
    try {
      await this.options.awaitDelivery?.(wrote);
    } catch (err) {
      this.options.logger.warn({ err, rpc: label }, 'could not wait for the delivery of a write');
    }
  }

  /** The caller has had its answer. What a cancelled call, a store in trouble or a rule fails with is expected then. */
  private logLate(err: unknown, call: RpcCall, { label }: Method): void {
    const isExpected =
      err instanceof DomainError ||
      isStoreTrouble(err) ||
      (err instanceof Error && err.name === 'AbortError');
    const level = isExpected ? 'debug' : 'error';
    const about = { err, rpc: label, requestId: call.metadata[REQUEST_ID] };
    this.options.logger[level](about, 'rpc failed after its answer');
  }

  private domainError(error: unknown, call: RpcCall, { label }: Method): DomainError {
    if (error instanceof DomainError) return error;
    const about = { err: error, rpc: label, requestId: call.metadata[REQUEST_ID] };
    if (isStoreTrouble(error)) {
      this.options.logger.warn(about, 'rpc failed: store unavailable');
      return unavailable();
    }
    this.options.logger.error(about, 'rpc failed');
    return internalError();
  }
}

/** What the caller is told besides the answer. */
interface Outcome {
  wrote: ConsistencyToken[];
  stale: boolean;
}

function trailers({ wrote, stale }: Outcome): WireMetadata {
  if (wrote.length === 0 && !stale) return NO_METADATA;
  return { ...(wrote.length > 0 && { [WROTE]: encodeTokens(wrote) }), ...(stale && { [STALE]: '1' }) };
}

function decode({ definition }: Method, bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_MESSAGE_BYTES) throw payloadTooLarge();
  try {
    return definition.requestDeserialize(asBuffer(bytes));
  } catch {
    throw malformed();
  }
}

function encode({ definition, label }: Method, answer: unknown): RpcAnswer['message'] {
  const { responseSerializeParts, responseSerialize } = definition;
  const message = (responseSerializeParts ?? responseSerialize)(answer as never);
  const length = byteLengthOf(message);
  if (length > MAX_MESSAGE_BYTES) throw new RangeError(`${label} answered ${length} bytes`);
  return message;
}

function tokensOf(text: string): ConsistencyToken[] {
  try {
    return decodeTokens(text);
  } catch {
    throw malformed();
  }
}

/** The message does not match the contract. */
function malformed(): DomainError {
  return new DomainError('malformed-request', 'The request could not be read.');
}
