import { setTimeout as delay } from 'node:timers/promises';
import { currentContext, type RequestContext } from '../context/request-context.js';
import { beginSpan } from '../telemetry/tracing.js';
import { systemClock, type Clock } from '../time/clock.js';
import { ConnectChannel } from './connect-channel.js';
import { InProcessChannel } from './in-process.js';
import type { RpcAnswer, RpcCall, RpcChannel } from './rpc-channel.js';
import { RpcStatusError, payloadTooLarge, toDomainError } from './rpc-status.js';
import type { RpcTransport } from './rpc-transport.js';
import {
  DEFAULT_BUDGET_MS,
  MAX_MESSAGE_BYTES,
  joined,
  type RequestOf,
  type ResponseOf,
  type RpcMethodDefinition,
  type RpcService,
  type RpcServiceDefinition,
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

export interface RpcCallOptions {
  /** Milliseconds that this call may take, the client's `budgetMs` by default; the context's deadline also applies. */
  deadlineMs?: number;
}

/** One method per rpc of the definition, with the same name. */
export type RpcClient<D extends RpcServiceDefinition> = {
  [M in keyof D]: (request: RequestOf<D[M]>, options?: RpcCallOptions) => Promise<ResponseOf<D[M]>>;
} & { close(): Promise<void> };

export interface RpcClientOptions {
  /** Milliseconds that a call may take if it names no other time, 5 s by default. */
  budgetMs?: number;
}

const RETRY_PAUSE_MS = 25;

/**
 * Calls carry the current context's request id, authorization, traceparent, deadline, cancellation and consistency tokens;
 * the tokens of an answer are added to the context. Rejects with the DomainError that the service threw, or with
 * `unavailable` if the transport fails; a read is retried once before that. A call may take `budgetMs` unless it says
 * otherwise.
 */
export function createRpcClient<D extends RpcServiceDefinition>(
  service: RpcService<D>,
  transport: RpcTransport,
  clock: Clock = systemClock,
  { budgetMs = DEFAULT_BUDGET_MS }: RpcClientOptions = {},
): RpcClient<D> {
  const channel: RpcChannel =
    transport.kind === 'in-process'
      ? new InProcessChannel(transport.network, service.name)
      : new ConnectChannel(service, transport.url, transport.keepalive);
  const methods = Object.entries(service.definition).map(([name, definition]) => {
    const stub = new MethodStub(channel, service, name, definition, clock, budgetMs);
    return [name, (request: unknown, options?: RpcCallOptions) => stub.unary(request, options)];
  });
  return Object.assign(Object.fromEntries(methods), { close: () => channel.close() }) as RpcClient<D>;
}

class MethodStub {
  private readonly label: string;
  private readonly retried: boolean;

  constructor(
    private readonly channel: RpcChannel,
    service: RpcService,
    private readonly name: string,
    private readonly definition: RpcMethodDefinition,
    private readonly clock: Clock,
    private readonly budgetMs: number,
  ) {
    this.label = `${service.name}/${name}`;
    this.retried = service.reads.has(name);
  }

  async unary(request: unknown, options?: RpcCallOptions): Promise<unknown> {
    const context = currentContext();
    const deadline = this.deadlineOf(context, options);
    const parent = context?.traceparent;
    // Calls outside of requests, such as polls for ended sessions, get no span: each would be a trace of one span.
    const span = parent === undefined ? undefined : beginSpan({ name: this.label, kind: 'client', parent });
    const call = this.callOf(request, context, span?.traceparent ?? parent);
    for (let mayRetry = this.retried; ; mayRetry = false) {
      call.budgetMs = this.budget(deadline);
      try {
        const { message, metadata } = await this.channel.unary(call);
        span?.end();
        recordTokens(context, metadata);
        return this.read(message);
      } catch (error) {
        if (mayRetry && this.isWorthRetrying(error, call, deadline)) {
          await delay(RETRY_PAUSE_MS * (0.5 + Math.random() / 2));
          continue;
        }
        span?.end({ error });
        throw translate(error, context);
      }
    }
  }

  private read(message: RpcAnswer['message']): unknown {
    const { responseDeserialize, responseDeserializeParts } = this.definition;
    const isInParts = !(message instanceof Uint8Array);
    return isInParts && responseDeserializeParts
      ? responseDeserializeParts(message)
      : responseDeserialize(joined(message));
  }

  private isWorthRetrying(error: unknown, { cancellation }: RpcCall, deadline: number): boolean {
    return isUnavailable(error) && !cancellation?.over && this.budget(deadline) > RETRY_PAUSE_MS;
  }

  private callOf(
    request: unknown,
    context: RequestContext | undefined,
    traceparent: string | undefined,
  ): RpcCall {
    const bytes = this.definition.requestSerialize(request as never);
    if (bytes.byteLength > MAX_MESSAGE_BYTES) throw payloadTooLarge();
    return {
      method: this.name,
      request: bytes,
      metadata: context ? metadataOf(context, traceparent) : NO_METADATA,
      budgetMs: 0,
      cancellation: context?.cancellation,
    };
  }

  private deadlineOf(context: RequestContext | undefined, options: RpcCallOptions | undefined): number {
    const own = options?.deadlineMs ?? this.budgetMs;
    const deadline = this.clock.now() + own;
    return context ? Math.min(context.deadline, deadline) : deadline;
  }

  private budget(deadline: number): number {
    return deadline - this.clock.now();
  }
}

function metadataOf(context: RequestContext, traceparent: string | undefined): WireMetadata {
  const { requestId, authorization, after, wrote } = context;
  const metadata: Record<string, string> = { [REQUEST_ID]: requestId };
  if (authorization !== undefined) metadata[AUTHORIZATION] = authorization;
  if (traceparent !== undefined) metadata[TRACEPARENT] = traceparent;
  // The next call of this request must also see the request's own writes.
  if (after.length + wrote.length > 0) metadata[AFTER] = encodeTokens([...after, ...wrote]);
  return metadata;
}

function recordTokens(context: RequestContext | undefined, metadata: WireMetadata): void {
  if (!context) return;
  const wrote = metadata[WROTE];
  if (wrote !== undefined) context.wrote.push(...decodeTokens(wrote));
  if (metadata[STALE] !== undefined) context.stale = true;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof RpcStatusError && toDomainError(error).kind === 'unavailable';
}

/** Also records the writes that a failed call made before it failed. */
function translate(error: unknown, context: RequestContext | undefined): unknown {
  if (!(error instanceof RpcStatusError)) return error;
  recordTokens(context, error.metadata);
  return toDomainError(error);
}
