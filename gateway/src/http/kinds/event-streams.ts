import type { OutgoingHttpHeaders } from 'node:http';
import type { VerifiedCaller } from '@pulso/platform/auth/access-token';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { KeyedSlots } from '@pulso/platform/limits/keyed-slots';
import { counter, gauge } from '@pulso/platform/telemetry/metrics';
import type { Clock } from '@pulso/platform/time/clock';
import type {
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  preHandlerHookHandler,
  preSerializationHookHandler,
  RouteOptions,
} from 'fastify';
import type { Registry } from 'prom-client';
import { verifiedCallerOf } from '../verified-caller-of.js';
import { tooManyRequests } from '../../errors/too-many-requests.js';
import { addressOf } from '../../rate-limit/address-key.js';
import type { EndpointConfig } from '../endpoint.js';
import { addressSlots } from '../guards/address-slots.js';
import { type EndReason, EventStream, type Frames } from './event-stream.js';

export interface EventStreamLimits {
  /** Of one account: its tabs share one, so these are devices. */
  perAccount: number;
  /** Of one address, which may have many accounts. */
  perAddress: number;
  /** Of this process, some 60 KB each. */
  perProcess: number;
  heartbeatMs: number;
  /** A reader that takes nothing for so long is cut off. */
  slowReaderMs: number;
}

const LIMITS: EventStreamLimits = {
  perAccount: 10,
  perAddress: 500,
  perProcess: 5_000,
  heartbeatMs: 15_000,
  slowReaderMs: 10_000,
};
const EXPIRY_CHECK_MS = 1_000;
const RETRY_AFTER_SECONDS = 10;

/** See `EndedSessions`. */
interface Ended {
  onRead(listener: () => void): void;
  refuses(caller: VerifiedCaller): boolean;
}

export interface EventStreamsOptions {
  ended: Ended;
  clock: Clock;
  registry?: Registry;
  limits?: Partial<EventStreamLimits>;
}

/**
 * Routes of the kind `events` (NOTIF-8): the handler returns frames, which are sent until the reader leaves, the session
 * or the token ends, or the gateway drains (HTTP-33). Such a response is not compressed and has no time limit of its own.
 */
export class EventStreams {
  private readonly open = new Set<EventStream>();
  private readonly limits: EventStreamLimits;
  private readonly slots: KeyedSlots;
  private readonly timers: NodeJS.Timeout[];
  private readonly endedBy;
  private draining = false;

  constructor(private readonly options: EventStreamsOptions) {
    const { ended, registry } = options;
    this.limits = { ...LIMITS, ...options.limits };
    const slots = { total: this.limits.perProcess, waiting: 0, waitMs: 0 };
    this.slots = new KeyedSlots(() => slots);
    this.timers = [
      setInterval(() => this.endExpired(), EXPIRY_CHECK_MS).unref(),
      setInterval(() => this.beat(), this.limits.heartbeatMs).unref(),
    ];
    ended.onRead(() => this.endRefused());
    const size = () => this.open.size;
    if (!registry) return;
    gauge(registry, {
      name: 'pulso_event_streams',
      help: 'Open streams of server-sent events',
      collect() {
        this.set(size());
      },
    });
    this.endedBy = counter(registry, {
      name: 'pulso_event_streams_ended_total',
      help: 'Ended streams of server-sent events, by what has ended them',
      labelNames: ['reason'],
    });
  }

  /** Gives a route of this kind its hooks; called for every route when it is made. */
  addTo(route: RouteOptions): void {
    if ((route.config as { endpoint?: EndpointConfig } | undefined)?.endpoint?.kind !== 'events') return;
    const admit: preHandlerHookHandler = (request, reply, done) => this.admit(request, reply, done);
    const send: preSerializationHookHandler<unknown> = (request, reply, payload, done) => {
      if (isFrames(payload)) this.send(request, reply, payload);
      else done(null, payload);
    };
    route.preHandler = admit;
    route.preSerialization = send;
  }

  /** Ends all streams and admits no more: their clients come back to another gateway. */
  drain(): void {
    this.draining = true;
    this.stop('drain', () => true);
    for (const timer of this.timers) clearInterval(timer);
  }

  private admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const { userId } = verifiedCallerOf(request);
    const keys = [
      { key: userId, most: this.limits.perAccount },
      ...addressSlots(addressOf(request), this.limits),
    ];
    const taken = this.draining ? 'total' : this.slots.tryTake(keys);
    if (taken === 'total') {
      return done(unavailable('There is no room for another stream. Please try again.'));
    }
    if (taken === 'key') return done(tooManyRequests(RETRY_AFTER_SECONDS, 'Too many open streams.'));
    reply.raw.once('close', taken);
    done();
  }

  private send(request: FastifyRequest, reply: FastifyReply, frames: Frames): void {
    const { raw } = reply;
    reply.hijack();
    if (!raw.destroyed) {
      raw.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        'content-type': 'text/event-stream; charset=utf-8',
        // nginx would hold events back.
        'x-accel-buffering': 'no',
        // The next stream, after a drain, shall not come by the same connection.
        connection: 'close',
      });
    }
    const stream = new EventStream(verifiedCallerOf(request), raw, frames, this.limits.slowReaderMs);
    this.open.add(stream);
    void stream.run().then((reason) => {
      this.open.delete(stream);
      this.endedBy?.inc({ reason });
    });
    if (request.method === 'HEAD') stream.stop('source');
    else if (this.draining) stream.stop('drain');
  }

  private endExpired(): void {
    const now = this.options.clock.now();
    this.stop('token', ({ caller }) => caller.expiresAt <= now);
  }

  private endRefused(): void {
    this.stop('session', ({ caller }) => this.options.ended.refuses(caller));
  }

  private stop(reason: EndReason, which: (stream: EventStream) => boolean): void {
    for (const stream of this.open) {
      if (which(stream)) stream.stop(reason);
    }
  }

  private beat(): void {
    for (const stream of this.open) stream.beat();
  }
}

function isFrames(payload: unknown): payload is Frames {
  return typeof payload === 'object' && payload !== null && 'next' in payload;
}
