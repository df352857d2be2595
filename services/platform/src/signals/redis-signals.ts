import { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';
import type { Redis } from '../redis/redis.js';
import { counter, gauge } from '../telemetry/metrics.js';
import { type SignalListener, Signals } from './signals.js';

/** Sent in place of a channel by a process whose signals were lost, once it reaches Redis again. */
const SOME_LOST = '*';
/** How soon a subscription is noticed to be dead whose connection nobody has closed. */
const PING_EVERY_MS = 2_000;
const PING_TIMEOUT_MS = 2_000;

export interface RedisSignalsOptions {
  /** Connected, and used by others, too; it also logs outages. */
  redis: Redis;
  logger: Logger;
  registry?: Registry;
}

/**
 * Signals over Redis pub/sub. All channels share one of Redis, of which every process that listens hears everything. The
 * Redis database is part of its name, because pub/sub knows no databases.
 */
export class RedisSignals extends Signals {
  private readonly redis: Redis;
  private readonly logger: Logger;
  private readonly topic: string;
  private readonly unsent;
  private readonly listeners = new Set<SignalListener>();
  private subscriber: Redis | undefined;
  private ping: NodeJS.Timeout | undefined;
  private subscribed = false;
  /** Signals were lost that nobody has been told of. */
  private owesNotice = false;
  private closed = false;

  constructor({ redis, logger, registry = new Registry() }: RedisSignalsOptions) {
    super();
    this.redis = redis;
    this.logger = logger;
    this.topic = `pulso:${redis.options.db ?? 0}:signals`;
    this.unsent = counter(registry, {
      name: 'pulso_signals_unsent_total',
      help: 'Signals that were lost because Redis was unreachable',
    });
    const isSubscribed = () => (this.subscribed ? 1 : 0);
    gauge(registry, {
      name: 'pulso_signals_subscribed',
      help: '1 while signals are heard; while it is 0, open pages and followers of changes poll. Always 0 where nothing listens',
      collect() {
        this.set(isSubscribed());
      },
    });
    redis.on('ready', () => this.payNotice());
  }

  override send(channel: string): void {
    this.redis.publish(this.topic, channel).then(
      () => this.payNotice(),
      (error: unknown) => this.missed(error),
    );
  }

  override listen(listener: SignalListener): () => void {
    this.listeners.add(listener);
    if (this.subscribed) listener.resumed?.();
    if (!this.subscriber) this.subscribe();
    return () => void this.listeners.delete(listener);
  }

  /** Ends the subscription; the given connection stays open. */
  close(): void {
    this.closed = true;
    clearInterval(this.ping);
    this.subscriber?.disconnect();
  }

  private missed(error: unknown): void {
    this.unsent.inc();
    if (this.closed || this.owesNotice) return;
    this.owesNotice = true;
    this.logger.warn({ err: error }, 'cannot send signals; open pages and other replicas see changes later');
  }

  private payNotice(): void {
    if (!this.owesNotice) return;
    this.owesNotice = false;
    this.send(SOME_LOST);
  }

  /** A connection that subscribes can do nothing else, hence one of its own. */
  private subscribe(): void {
    // We subscribe again ourselves: only then do we know since when nothing is lost.
    const subscriber = this.redis.duplicate({
      lazyConnect: true,
      autoResubscribe: false,
      commandTimeout: PING_TIMEOUT_MS,
    });
    this.subscriber = subscriber;
    // The connection that this one duplicates logs outages.
    subscriber.on('error', () => undefined);
    subscriber.on('close', () => this.setSubscribed(false));
    subscriber.on('message', (_topic: string, channel: string) => this.tell(channel));
    subscriber.on('ready', () => {
      subscriber.subscribe(this.topic).then(
        () => this.setSubscribed(true),
        () => subscriber.disconnect(true),
      );
    });
    // A failure is an `error` event, too, and the client connects again by itself.
    subscriber.connect().catch(() => undefined);
    this.ping = setInterval(() => this.check(subscriber), PING_EVERY_MS).unref();
  }

  private check(subscriber: Redis): void {
    if (this.subscribed) subscriber.ping().catch(() => subscriber.disconnect(true));
  }

  private setSubscribed(subscribed: boolean): void {
    if (this.closed || this.subscribed === subscribed) return;
    this.subscribed = subscribed;
    for (const listener of this.listeners) {
      if (subscribed) listener.resumed?.();
      else listener.lost?.();
    }
  }

  private tell(channel: string): void {
    for (const listener of this.listeners) {
      if (channel === SOME_LOST) listener.resumed?.();
      else listener.heard(channel);
    }
  }
}
