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
/** A Redis that is slow beside other suites is not away: its hits must not count in a fallback. */
const PATIENT_MS = 20_000;
const connect = () => connectRedis(redisUrl!, logger, PATIENT_MS);

/** Each opens `replicas` views of one store, as the replicas of a gateway would have them. */
const stores: Record<string, () => Promise<{ replicas: RateLimitStore[]; close(): void }>> = {
  'in memory': async () => {
    const store = new InMemoryRateLimitStore(systemClock);
    return { replicas: [store, store], close: () => undefined };
  },
};
if (redisUrl) {
  const overRedis = async (wrap: (store: RateLimitStore) => RateLimitStore) => {
    const clients: Redis[] = [await connect(), await connect()];
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

// Rule: LIMIT-2
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

  /** A hit, with the bounds that its answer leaves for the window's end: the way there and back took some time. */
  async function timedHit(store: RateLimitStore, windowMs: number) {
    const before = Date.now();
    const { hits, endsAt } = await store.hit(key, windowMs);
    const rounding = 1;
    return { hits, latest: endsAt + rounding, earliest: endsAt - (Date.now() - before) - rounding };
  }

  it('keep the window that the first hit opened', async () => {
    const asked = Date.now();
    const opened = await timedHit(first, 30_000);
    expect(opened.hits).toBe(1);
    expect(opened.latest).toBeGreaterThanOrEqual(asked + 30_000);
    expect(opened.earliest).toBeLessThanOrEqual(Date.now() + 30_000);
    const again = await timedHit(second, 60_000);
    expect(again.hits).toBe(2);
    expect(again.earliest).toBeLessThanOrEqual(opened.latest);
    expect(again.latest).toBeGreaterThanOrEqual(opened.earliest);
  });

  it('start anew after the window, however often it is hit', async () => {
    expect((await first.hit(key, 400)).hits).toBe(1);
    let hits: number;
    do {
      await delay(20);
      ({ hits } = await second.hit(key, 400));
    } while (hits > 1);
    expect(hits).toBe(1);
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
      const redis = await connect();
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
