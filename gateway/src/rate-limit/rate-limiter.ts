import type { Clock } from '@pulso/platform/time/clock';
import { tooManyRequests } from '../errors/too-many-requests.js';
import { counterKey, RATE_LIMITS, type RateLimit, type RateLimitName } from './limits.js';
import type { RateLimitStore, WindowState } from './rate-limit-store.js';

/** Where a limit delays: so much later for each hit beyond it, and never more than the second. */
const DELAY_MS = 250;
const LONGEST_DELAY_MS = 3_000;

/** Resolves so many milliseconds later. */
export type Delay = (milliseconds: number) => Promise<void>;

/** Counts and compares with the table of limits (LIMIT-1). */
export class RateLimiter {
  constructor(
    private readonly store: RateLimitStore,
    private readonly clock: Clock,
    private readonly factor: number,
    private readonly delay: Delay = byTimer,
  ) {}

  /**
   * Counts a request of `who`, who may have so many `times` the hits of the limit; throws too-many-requests with
   * `retryAfter`, or where the limit delays, resolves later. Synchronous with the store in memory, delays aside.
   */
  take(name: RateLimitName, who: string, times = 1): void | Promise<void> {
    if (this.factor === 0) return;
    const { windowMs } = RATE_LIMITS[name];
    const state = this.store.hit(counterKey(name, who), windowMs);
    return state instanceof Promise
      ? state.then((later) => this.check(name, times, later))
      : this.check(name, times, state);
  }

  /** Undoes a `take` that let its request through, where what came of it is not to count. */
  giveBack(name: RateLimitName, who: string): void | Promise<void> {
    if (this.factor === 0) return;
    return this.store.takeBack(counterKey(name, who));
  }

  private check(name: RateLimitName, times: number, { hits, endsAt }: WindowState): void | Promise<void> {
    const limit: RateLimit = RATE_LIMITS[name];
    const over = hits - Math.max(1, Math.floor(limit.hits * this.factor * times));
    if (over <= 0) return;
    if (limit.delays) return this.delay(Math.min(over * DELAY_MS, LONGEST_DELAY_MS));
    const retryAfter = Math.max(1, Math.ceil((endsAt - this.clock.now()) / 1000));
    throw tooManyRequests(retryAfter);
  }
}

function byTimer(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
