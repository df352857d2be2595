import type { Logger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';
import type { RateLimitStore, WindowState } from './rate-limit-store.js';

/** After a failure the shared store is not asked for this long, so that not every request waits for its time-out. */
const PAUSE_MS = 1_000;

export interface FallbackOptions {
  /** Shared by all replicas. */
  shared: RateLimitStore;
  /** This replica's own, for while the shared one is away. */
  own: RateLimitStore;
  clock: Clock;
  logger: Logger;
  /** Called for each hit that only this replica counted. */
  onFallback(): void;
}

/**
 * Counts in the shared store, and by itself while that is away: limits hold for each replica then, and no request
 * fails for it. Logs once an outage.
 */
export class FallbackRateLimitStore implements RateLimitStore {
  private away = false;
  private askAgainAt = 0;

  constructor(private readonly options: FallbackOptions) {}

  async hit(key: string, windowMs: number): Promise<WindowState> {
    const { own, onFallback } = this.options;
    const shared = await this.ask((store) => store.hit(key, windowMs));
    if (shared) return shared;
    onFallback();
    return own.hit(key, windowMs);
  }

  async takeBack(key: string): Promise<void> {
    const { own } = this.options;
    const done = await this.ask(async (store) => {
      await store.takeBack(key);
      return true;
    });
    if (!done) await own.takeBack(key);
  }

  /** Undefined where the shared store has not answered. */
  private async ask<T>(question: (store: RateLimitStore) => Promise<T> | T): Promise<T | undefined> {
    const { shared, clock, logger } = this.options;
    if (clock.now() < this.askAgainAt) return undefined;
    // One request tests whether Redis is back; the others do not wait for it.
    if (this.away) this.askAgainAt = clock.now() + PAUSE_MS;
    try {
      const answer = await question(shared);
      if (this.away) logger.info('rate limits are counted in Redis again');
      this.away = false;
      this.askAgainAt = 0;
      return answer;
    } catch (error) {
      if (!this.away)
        logger.warn({ err: error }, 'Redis is unreachable: each replica counts rate limits by itself');
      this.away = true;
      this.askAgainAt = clock.now() + PAUSE_MS;
      return undefined;
    }
  }
}
