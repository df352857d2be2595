import { ManualClock } from '@pulso/platform/testing/manual-clock';
import type { FastifyRequest } from 'fastify';
import type { RefreshCookie } from '../auth/refresh-cookie.js';
import { RATE_LIMITS } from '../rate-limit/limits.js';
import { InMemoryRateLimitStore, type RateLimitStore } from '../rate-limit/rate-limit-store.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';
import { RequestLimits } from './request-limits.js';

const clock = new ManualClock();
const limit = ['login-address', 'login-email-address', 'login-email'] as const;
const endpoint = { access: 'public', limit } as const;

/** As Redis is: answers later. */
function shared(): RateLimitStore {
  const store = new InMemoryRateLimitStore(clock);
  return {
    hit: async (key, windowMs) => ({ ...store.hit(key, windowMs) }),
    takeBack: async (key) => store.takeBack(key),
  };
}

const stores: [string, () => RateLimitStore][] = [
  ['in memory', () => new InMemoryRateLimitStore(clock)],
  ['shared by replicas', shared],
];

// Rule: ACCT-14
describe.each(stores)('limits of requests with counters %s', (_name, makeStore) => {
  let limits: RequestLimits;
  beforeEach(() => {
    const cookie = { read: () => undefined } as unknown as RefreshCookie;
    limits = new RequestLimits(new RateLimiter(makeStore(), clock, 1), cookie);
  });

  /** One login, which ends in `refusal`; rejects when a limit refuses it. */
  async function logIn(refusal: FastifyRequest['refusal'], ip = '203.0.113.7'): Promise<void> {
    const request = {
      ip,
      body: { email: 'ana@example.com' },
      method: 'POST',
      taken: null,
      refusal,
      routeOptions: { config: { endpoint } },
    } as unknown as FastifyRequest;
    await limits.arrive(request);
    await limits.admit(request, endpoint, null);
    await limits.settle(request);
  }

  it('count wrong passwords and give all others back', async () => {
    const { hits } = RATE_LIMITS['login-email-address'];
    for (let count = 0; count < hits; count += 1) await logIn(null);
    for (let count = 0; count < hits; count += 1) await logIn('invalid-credential');
    await expect(logIn(null)).rejects.toMatchObject({ code: 'too-many-requests' });
    await logIn(null, '203.0.113.8');
  });

  // Rule: LIMIT-14
  it('refuse the networks of an IPv6 address that together ask more than they may', async () => {
    const { hits } = RATE_LIMITS['login-address'];
    const at = async (network: string) => {
      for (let count = 0; count < hits; count += 1) await logIn(null, `${network}::${count}`);
    };
    await at('2001:db8:0:aa01');
    await expect(logIn(null, '2001:db8:0:aa01::ff')).rejects.toMatchObject({ code: 'too-many-requests' });
    // What is refused counts for no larger network.
    await at('2001:db8:0:aa02');
    await expect(logIn(null, '2001:db8:0:aa03::1')).rejects.toMatchObject({ code: 'too-many-requests' });
    await at('2001:db8:0:bb01');
    await at('2001:db8:0:cc01');
    await expect(logIn(null, '2001:db8:0:dd01::1')).rejects.toMatchObject({ code: 'too-many-requests' });
    await logIn(null, '2001:db8:1::1');
  });

  it('refuse an address before they look at its e-mail addresses', async () => {
    const { hits } = RATE_LIMITS['login-address'];
    for (let count = 0; count < hits; count += 1) await logIn(null);
    await expect(logIn(null)).rejects.toMatchObject({ code: 'too-many-requests' });
  });
});
