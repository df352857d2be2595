import { createLogger } from '@pulso/platform/logging/logger';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { FallbackRateLimitStore } from './fallback-rate-limit-store.js';
import { InMemoryRateLimitStore, type RateLimitStore } from './rate-limit-store.js';

class BreakableStore implements RateLimitStore {
  broken = false;
  asked = 0;
  private readonly store: InMemoryRateLimitStore;

  constructor(clock: ManualClock) {
    this.store = new InMemoryRateLimitStore(clock);
  }

  async hit(key: string, windowMs: number) {
    this.ask();
    return this.store.hit(key, windowMs);
  }

  async takeBack(key: string) {
    this.ask();
    this.store.takeBack(key);
  }

  private ask() {
    this.asked += 1;
    if (this.broken) throw new Error('away');
  }
}

// Rule: LIMIT-2
describe('a rate limit store with a fallback', () => {
  let clock: ManualClock;
  let shared: BreakableStore;
  let store: FallbackRateLimitStore;
  let lines: string[];
  let fallbacks: number;

  beforeEach(() => {
    clock = new ManualClock();
    shared = new BreakableStore(clock);
    lines = [];
    fallbacks = 0;
    const destination = {
      write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg),
    };
    store = new FallbackRateLimitStore({
      shared,
      clock,
      own: new InMemoryRateLimitStore(clock),
      logger: createLogger({ service: 'test', level: 'info', destination }),
      onFallback: () => (fallbacks += 1),
    });
  });

  const hits = async () => (await store.hit('key', 600_000)).hits;

  it('counts by itself while the shared one is away, and comes back by itself', async () => {
    expect([await hits(), await hits()]).toEqual([1, 2]);
    shared.broken = true;
    expect([await hits(), await hits(), await hits()]).toEqual([1, 2, 3]);
    await store.takeBack('key');
    expect(await hits()).toBe(3);
    expect(fallbacks).toBe(4);
    shared.broken = false;
    clock.advance(1_001);
    expect(await hits()).toBe(3);
    expect(fallbacks).toBe(4);
  });

  it('lets one of many requests find out whether the shared one is back', async () => {
    shared.broken = true;
    await hits();
    clock.advance(1_001);
    await Promise.all(Array.from({ length: 10 }, hits));
    expect(shared.asked).toBe(2);
    shared.broken = false;
    clock.advance(1_001);
    await hits();
    await Promise.all(Array.from({ length: 10 }, hits));
    expect(shared.asked).toBe(13);
  });

  it('asks once a second and logs once an outage', async () => {
    shared.broken = true;
    for (let second = 0; second < 5; second += 1) {
      for (let count = 0; count < 10; count += 1) await hits();
      clock.advance(1_001);
    }
    expect(shared.asked).toBe(5);
    shared.broken = false;
    await hits();
    shared.broken = true;
    await hits();
    expect(lines).toEqual([
      'Redis is unreachable: each replica counts rate limits by itself',
      'rate limits are counted in Redis again',
      'Redis is unreachable: each replica counts rate limits by itself',
    ]);
  });
});
