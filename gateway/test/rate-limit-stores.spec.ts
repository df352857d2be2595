import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@pulso/platform/logging/logger';
import { connectRedis, type Redis } from '@pulso/platform/redis/redis';
import { systemClock } from '@pulso/platform/time/clock';
import { FallbackRateLimitStore } from '../src/rate-limit/fallback-rate-limit-store.js';
import { InMemoryRateLimitStore, type RateLimitStore } from '../src/rate-limit/rate-limit-store.js';
import { RedisRateLimitStore } from '../src/rate-limit/redis-rate-limit-store.js';

const logger = createLogger({ service: 'rate-limit-test', level: 'silent' });
const redisUrl = process.env.PULSO_TEST_REDIS_URL;

/** Each opens `replicas` views of one store, as the replicas of a gateway would have them. */
const stores: Record<string, () => Promise<{ replicas: RateLimitStore[]; close(): void }>> = {
  'in memory': async () => {
    const store = new InMemoryRateLimitStore(systemClock);
    return { replicas: [store, store], close: () => undefined };
  },
};
if (redisUrl) {
  const overRedis = async (wrap: (store: RateLimitStore) => RateLimitStore) => {
    const clients: Redis[] = [await connectRedis(redisUrl, logger), await connectRedis(redisUrl, logger)];
    return {
      replicas: clients.map((client) => wrap(new RedisRateLimitStore(client, systemClock))),
      close: () => clients.forEach((client) => client.disconnect()),
    };
  };
  stores['in Redis'] = () => overRedis((store) => store);
  stores['in Redis, with a fallback'] = () =>
    overRedis((shared) => {
      const own = new InMemoryRateLimitStore(systemClock);
      return new FallbackRateLimitStore({
        shared,
        own,
        clock: systemClock,
        logger,
        onFallback: () => undefined,
      });
    });
}

describe.each(Object.entries(stores))('rate limits counted %s', (_name, open) => {
  let first: RateLimitStore;
  let second: RateLimitStore;
  let close: () => void;
  let key: string;

  beforeAll(async () => {
    const opened = await open();
    [first, second] = opened.replicas as [RateLimitStore, RateLimitStore];
    close = opened.close;
  });
  afterAll(() => close());
  beforeEach(() => {
    key = `test:${randomUUID()}`;
  });

  it('are counted together by all replicas, each hit once', async () => {
    const hits = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => (index % 2 ? first : second).hit(key, 60_000)),
    );
    expect((await first.hit(key, 60_000)).hits).toBe(41);
    expect(hits.length).toBe(40);
    expect((await second.hit(`${key}:other`, 60_000)).hits).toBe(1);
  });

  it('keep the window that the first hit opened, and start anew after it', async () => {
    const opened = await first.hit(key, 400);
    const { endsAt, hits } = opened;
    expect(hits).toBe(1);
    expect(endsAt - Date.now()).toBeGreaterThan(0);
    expect(endsAt - Date.now()).toBeLessThanOrEqual(400);
    await delay(20);
    const again = await second.hit(key, 60_000);
    expect(again.hits).toBe(2);
    // Two clocks, the store's and the reader's, and a network in between.
    expect(Math.abs(again.endsAt - endsAt)).toBeLessThan(50);
    await delay(Math.max(0, again.endsAt - Date.now()) + 60);
    expect((await second.hit(key, 400)).hits).toBe(1);
  });

  it('take a hit back, never below none and never in a window that has ended', async () => {
    await first.takeBack(key);
    expect((await first.hit(key, 60_000)).hits).toBe(1);
    await second.hit(key, 60_000);
    await first.takeBack(key);
    expect((await second.hit(key, 60_000)).hits).toBe(2);
    for (let count = 0; count < 5; count += 1) await second.takeBack(key);
    const left = await first.hit(key, 60_000);
    expect(left.hits).toBe(1);
    expect(left.endsAt - Date.now()).toBeGreaterThan(50_000);
  });
});

if (redisUrl) {
  describe('the scripts of rate limits in Redis', () => {
    it('are sent once a connection, and again when Redis has forgotten them', async () => {
      const redis = await connectRedis(redisUrl, logger);
      const store = new RedisRateLimitStore(redis, systemClock);
      const key = `test:${randomUUID()}`;
      const sent: string[] = [];
      const monitor = await redis.monitor();
      monitor.on('monitor', (_time: string, args: string[]) => {
        if (args.some((arg) => arg.endsWith(key))) sent.push(args[0]!.toLowerCase());
      });
      const hits = async () => (await store.hit(key, 60_000)).hits;
      expect([await hits(), await hits()]).toEqual([1, 2]);
      await redis.script('FLUSH');
      expect(await hits()).toBe(3);
      await store.takeBack(key);
      expect(await hits()).toBe(3);
      while (sent.filter((name) => name.startsWith('eval')).length < 6) await delay(5);
      expect(sent.filter((name) => name.startsWith('eval'))).toEqual([
        'eval',
        'evalsha',
        'evalsha',
        'eval',
        'eval',
        'evalsha',
      ]);
      monitor.disconnect();
      redis.disconnect();
    });
  });
}
