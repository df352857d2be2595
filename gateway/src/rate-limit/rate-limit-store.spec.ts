import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { counterKey, type RateLimitName } from './limits.js';
import { InMemoryRateLimitStore } from './rate-limit-store.js';

const HOUR = 3_600_000;
/** As many as fit beside each other. */
const FLOOD = 100_000;

// Rule: LIMIT-2, ACCT-14
describe('counters in memory', () => {
  const store = new InMemoryRateLimitStore(new ManualClock());
  const count = (name: RateLimitName, who: string) => store.hit(counterKey(name, who), HOUR).hits;
  const flood = (request: (who: string) => void) => {
    for (let index = 0; index < FLOOD; index += 1) request(`flood-${index}`);
  };

  it.each(['login-email-address', 'login-email', 'password-account-address', 'password-account'] as const)(
    'of %s stay, however many addresses send other requests',
    (name) => {
      for (let hits = 1; hits <= 3; hits += 1) expect(count(name, 'ana')).toBe(hits);
      flood((address) => count('any-address', address));
      expect(count(name, 'ana')).toBe(4);
    },
  );

  it('of wrong passwords stay, however many logins are right or not judged', () => {
    expect(count('login-email', 'ben')).toBe(1);
    flood((email) => {
      count('login-email', email);
      store.takeBack(counterKey('login-email', email));
    });
    expect(count('login-email', 'ben')).toBe(2);
  });

  it.each(['any-address', 'login-email'] as const)('of %s are bounded: the latest are kept', (name) => {
    count(name, 'eve');
    flood((who) => count(name, `bound-${who}`));
    expect(count(name, 'eve')).toBe(1);
  });
});
