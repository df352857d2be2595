import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Clock } from '@pulso/platform/time/clock';
import { RATE_LIMITS, type RateLimitName } from './limits.js';
import type { RateLimitStore, WindowState } from './rate-limit-store.js';

/** Limits per address and per account (LIMIT-1). */
export class RateLimiter {
  constructor(
    private readonly store: RateLimitStore,
    private readonly clock: Clock,
    private readonly factor: number,
  ) {}

  /** Counts a request of `who`; throws too-many-requests with `retryAfter`. Synchronous with the store in memory. */
  take(name: RateLimitName, who: string): void | Promise<void> {
    if (this.factor === 0) return;
    const { windowMs } = RATE_LIMITS[name];
    const state = this.store.hit(`${name}:${who}`, windowMs);
    return state instanceof Promise
      ? state.then((later) => this.check(name, later))
      : this.check(name, state);
  }

  /** Undoes a `take` that let its request through, where what came of it is not to count. */
  giveBack(name: RateLimitName, who: string): void | Promise<void> {
    if (this.factor === 0) return;
    return this.store.takeBack(`${name}:${who}`);
  }

  private check(name: RateLimitName, { hits, endsAt }: WindowState): void {
    if (hits <= Math.max(1, Math.floor(RATE_LIMITS[name].hits * this.factor))) return;
    const retryAfter = Math.max(1, Math.ceil((endsAt - this.clock.now()) / 1000));
    throw new DomainError('too-many-requests', 'Too many requests. Please try again later.', { retryAfter });
  }
}
