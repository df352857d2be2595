import { randomUUID } from 'node:crypto';
import { createLogger } from '@pulso/platform/logging/logger';
import { connectRedis, type Redis } from '@pulso/platform/redis/redis';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { systemClock } from '@pulso/platform/time/clock';
import { FallbackRateLimitStore } from '../src/rate-limit/fallback-rate-limit-store.js';
import { InMemoryRateLimitStore, type RateLimitStore } from '../src/rate-limit/rate-limit-store.js';
import { RedisRateLimitStore } from '../src/rate-limit/redis-rate-limit-store.js';
import { redisInBetween } from './support/redis-in-between.js';

const logger = createLogger({ service: 'rate-limit-test', level: 'silent' });
const redisUrl = process.env.PULSO_TEST_REDIS_URL;
/** A Redis that is slow beside other suites is not away: its hits must not count in a fallback. */
const PATIENT_MS = 20_000;
/** Of the stores below: closed even when opening them all has failed. */
const clients: Redis[] = [];
afterAll(() => clients.forEach((client) => client.disconnect()));

async function connect(): Promise<Redis> {
  const client = await connectRedis(redisUrl!, logger, PATIENT_MS);
  clients.push(client);
  return client;
}

/** Each opens `replicas` views of one store, as the replicas of a gateway would have them. */
const stores: Record<string, () => Promise<RateLimitStore[]>> = {
  'in memory': async () => {
    const store = new InMemoryRateLimitStore(systemClock);
    return [store, store];
  },
};
if (redisUrl) {
  const overRedis = async (wrap: (store: RateLimitStore) => RateLimitStore) => {
    const replicas: Redis[] = [await connect(), await connect()];
    return replicas.map((client) => wrap(new RedisRateLimitStore(client, systemClock)));
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
  let key: string;

  beforeAll(async () => {
    [first, second] = (await open()) as [RateLimitStore, RateLimitStore];
  });
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

  type TimedHit = Awaited<ReturnType<typeof timedHit>>;
  function expectSameWindow(hit: TimedHit, other: TimedHit): void {
    expect(hit.earliest).toBeLessThanOrEqual(other.latest);
    expect(hit.latest).toBeGreaterThanOrEqual(other.earliest);
  }

  it('keep the window that the first hit opened', async () => {
    const asked = Date.now();
    const opened = await timedHit(first, 30_000);
    expect(opened.hits).toBe(1);
    expect(opened.latest).toBeGreaterThanOrEqual(asked + 30_000);
    expect(opened.earliest).toBeLessThanOrEqual(Date.now() + 30_000);
    const again = await timedHit(second, 60_000);
    expect(again.hits).toBe(2);
    expectSameWindow(again, opened);
  });

  it('start anew after the window, however often it is hit', async () => {
    expect((await first.hit(key, 400)).hits).toBe(1);
    const anew = async () => (await second.hit(key, 400)).hits === 1;
    await until(anew, { what: 'a hit that is the first of a new window' });
  });

  it('take a hit back, never below none and never in a window that has ended', async () => {
    await first.takeBack(key);
    const opened = await timedHit(first, 60_000);
    expect(opened.hits).toBe(1);
    await second.hit(key, 60_000);
    await first.takeBack(key);
    expect((await second.hit(key, 60_000)).hits).toBe(2);
    for (let count = 0; count < 5; count += 1) await second.takeBack(key);
    const left = await timedHit(first, 120_000);
    expect(left.hits).toBe(1);
    expectSameWindow(left, opened);
  });
});

if (redisUrl) {
  describe('the scripts of rate limits in Redis', () => {
    it('are sent once a connection, and again when Redis has forgotten them', async () => {
      const between = await redisInBetween(redisUrl);
      onTestEnd(() => between.close());
      const redis = await connectRedis(between.url, logger, PATIENT_MS);
      onTestEnd(() => redis.disconnect());
      const store = new RedisRateLimitStore(redis, systemClock);
      const key = `test:${randomUUID()}`;
      const hits = async () => (await store.hit(key, 60_000)).hits;
      expect([await hits(), await hits()]).toEqual([1, 2]);
      between.forgetScript();
      expect(await hits()).toBe(3);
      await store.takeBack(key);
      expect(await hits()).toBe(3);
      expect(between.sent.filter((name) => name.startsWith('eval'))).toEqual([
        'eval',
        'evalsha',
        'evalsha',
        'eval',
        'eval',
        'evalsha',
      ]);
    });
  });
}
