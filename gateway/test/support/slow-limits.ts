import type { RateLimitName } from '../../src/rate-limit/limits.js';
import { InMemoryRateLimitStore, type RateLimitStore } from '../../src/rate-limit/rate-limit-store.js';
import { systemClock } from '@pulso/platform/time/clock';

/** Counts in memory, but answers later, like a store in another process: after `release`, once `hold` was called. */
export class SlowRateLimits implements RateLimitStore {
  /** Hits that wait. */
  waiting = 0;
  private readonly store = new InMemoryRateLimitStore(systemClock);
  private limit = '';
  private held: Promise<void> = Promise.resolve();
  private open: () => void = () => undefined;

  /** Of one limit, or of all. */
  hold(limit: RateLimitName | '' = ''): void {
    this.limit = limit;
    this.held = new Promise((resolve) => (this.open = resolve));
  }

  release(): void {
    this.open();
    this.held = Promise.resolve();
  }

  async hit(key: string, windowMs: number) {
    if (key.startsWith(this.limit)) {
      this.waiting += 1;
      await this.held;
      this.waiting -= 1;
    }
    return this.store.hit(key, windowMs);
  }

  async takeBack(key: string): Promise<void> {
    this.store.takeBack(key);
  }
}
