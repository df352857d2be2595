import type { Redis } from '@pulso/platform/redis/redis';

const CHANNEL = 'pulso:ended-sessions';

/** Tells every gateway that identity's list of ended sessions has grown; the list itself never travels this way. */
export interface EndedSessionsSignals {
  /** Rejects when the signal could not be sent; the poll of each gateway makes up for it. */
  send(): Promise<void>;
  /** `listener` is called for every signal, and once after signals may have been missed. */
  listen(listener: () => void): Promise<void>;
}

/** Over Redis pub/sub. A connection that subscribes can do nothing else, hence a second one. */
export class RedisEndedSessionsSignals implements EndedSessionsSignals {
  private readonly subscriber: Redis;

  /** @param channel gateways hear those of the same channel only */
  constructor(
    private readonly redis: Redis,
    private readonly channel = CHANNEL,
  ) {
    this.subscriber = redis.duplicate({ lazyConnect: true, enableOfflineQueue: true });
    // The connection that this one duplicates logs outages.
    this.subscriber.on('error', () => undefined);
  }

  async send(): Promise<void> {
    await this.redis.publish(this.channel, '');
  }

  async listen(listener: () => void): Promise<void> {
    this.subscriber.on('message', listener);
    this.subscriber.on('ready', listener);
    await this.subscriber.subscribe(this.channel);
  }

  close(): void {
    this.subscriber.disconnect();
  }
}
