import { jest } from '@jest/globals';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { RATE_LIMITS } from './limits.js';
import { InMemoryRateLimitStore } from './rate-limit-store.js';
import { RateLimiter } from './rate-limiter.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

// Rule: ACCT-14
it('a limit that delays lets through by a timer, 250 ms later for each hit beyond it, up to 3 s', async () => {
  const clock = new ManualClock();
  const limiter = new RateLimiter(new InMemoryRateLimitStore(clock), clock, 1);
  const { hits } = RATE_LIMITS['login-email'];
  for (let hit = 1; hit <= hits; hit += 1) expect(limiter.take('login-email', 'ana')).toBeUndefined();
  for (let beyond = 1; beyond <= 13; beyond += 1) {
    let isThrough = false;
    const taken = Promise.resolve(limiter.take('login-email', 'ana')).then(() => (isThrough = true));
    const later = Math.min(250 * beyond, 3_000);
    await jest.advanceTimersByTimeAsync(later - 1);
    expect([beyond, isThrough]).toEqual([beyond, false]);
    await jest.advanceTimersByTimeAsync(1);
    expect([beyond, isThrough]).toEqual([beyond, true]);
    await taken;
  }
});
