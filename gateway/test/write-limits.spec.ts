import type { RouteOptions } from 'fastify';
import { bareApplication } from '../src/build-document.js';
import { type EndpointConfig, isRead } from '../src/http/endpoint.js';
import { RATE_LIMITS, type RateLimit } from '../src/rate-limit/limits.js';

const HOUR = 3_600_000;

/** Writes whose successes have no hourly limit, and why they need none. */
const EXCEPTIONS: Record<string, string> = {
  'POST /api/auth/signup': 'twenty in ten minutes of an address (LIMIT-3)',
  'POST /api/auth/login':
    'thirty in five minutes of an address; nobody hears of a session that begins (ACCT-13)',
  'POST /api/auth/passkeys/login/options': 'changes nothing (LIMIT-19)',
  'POST /api/auth/passkeys/login':
    'thirty in five minutes of an address; nobody hears of a session that begins (ACCT-13)',
  'POST /api/auth/refresh': '120 in five minutes of a token; nobody hears of it (LIMIT-3)',
  'POST /api/auth/logout': 'ends one session, once',
  'POST /api/auth/password/forgot':
    'thirty in five minutes of an address; each gets three mails in an hour (LIMIT-18)',
  'POST /api/auth/password/reset': 'sets something once a link; wrong links count (LIMIT-3)',
  'POST /api/auth/email/verify': 'verifies something once a link; wrong links count (LIMIT-3)',
  'POST /unsubscribe': 'changes something once a link; wrong links count (LIMIT-3)',
  'POST /api/stripe/webhook': 'the provider’s alone: without its signature nothing is stored (SUBS-17)',
};

/** The limits of every write, by method and path. */
async function limitsOfWrites(): Promise<Map<string, readonly RateLimit[]>> {
  const writes = new Map<string, readonly RateLimit[]>();
  const { close } = await bareApplication(({ method, url, config }: RouteOptions) => {
    const { endpoint } = (config ?? {}) as { endpoint?: EndpointConfig };
    const names = [endpoint?.limit ?? []].flat();
    for (const one of [method].flat().filter((name) => !isRead(name)))
      writes.set(
        `${one} ${url}`,
        names.map((name) => RATE_LIMITS[name]),
      );
  });
  await close();
  return writes;
}

/** Whether a limit bounds what an account does in an hour and more, and not its failures alone. */
const isHourly = ({ windowMs, counts }: RateLimit) => windowMs >= HOUR && counts === undefined;

// Rule: LIMIT-4
it('each write has an hourly limit of its account, or a reason to need none', async () => {
  const writes = await limitsOfWrites();
  expect(writes.size).toBeGreaterThan(30);
  const without = [...writes].filter(([, limits]) => !limits.some(isHourly)).map(([route]) => route);
  expect(without.sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});
