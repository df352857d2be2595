import { DomainError, tokenExpired, unavailable } from '@pulso/platform/errors/domain-error';
import { until } from '@pulso/platform/testing/until';
import { OTHER_ID, POST_ID, SESSION_ID, TIME, USER_ID } from './support/fake-clients.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway?.close());

const OTHER_SESSION_ID = '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e60';
const cookie = { cookie: '__Host-pulso_refresh=refresh-token-1' };
const post = (path: string, headers: Record<string, string> = {}, token: string | null = null) =>
  gateway.call('POST', path, { token, headers });
const asked = (name: string) => gateway.calls.filter(({ method }) => method === name);

// Rule: ACCT-16
describe('the refresh cookie', () => {
  const login = (at = gateway) =>
    at.call('POST', '/api/auth/login', { token: null, json: { email: 'ana@example.com', password: 'x' } });
  const expires = `Expires=${new Date(TIME + 30 * 86_400_000).toUTCString()}`;
  /** The pair first, then the attributes by name. */
  const cookiesOf = (response: Response) =>
    response.headers.getSetCookie().map((one) => {
      const [pair, ...attributes] = one.split('; ');
      return [pair, ...attributes.sort()];
    });
  const host = ['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure'];
  const plain = ['HttpOnly', 'Path=/api/auth', 'SameSite=Strict'];
  const gone = (attributes: string[]) =>
    ['Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'Max-Age=0', ...attributes].sort();

  // Rule: ACCT-17, ACCT-40
  it('is kept from scripts, other sites and, under https, from other hosts’ hands', async () => {
    const kept = ['__Host-pulso_refresh=refresh-token-2', expires, ...host];
    const cleared = ['pulso_refresh=', ...gone(plain)];
    const member = ['Path=/', 'SameSite=Lax', 'Secure'];
    expect(cookiesOf(await login())).toEqual([kept, cleared, ['pulso_member=1', expires, ...member]]);
    expect(cookiesOf(await post('/api/auth/logout', cookie))).toEqual([
      ['__Host-pulso_refresh=', ...gone(host)],
      cleared,
      ['pulso_member=', ...gone(member)],
    ]);
  });

  // Rule: ACCT-17
  it('has another name and path under http', async () => {
    const open = await startGatewayForThisTest({ PUBLIC_URL: 'http://localhost:8080' });
    expect(cookiesOf(await login(open))).toEqual([
      ['pulso_refresh=refresh-token-2', expires, ...plain],
      ['__Host-pulso_refresh=', ...gone(host)],
      ['pulso_member=1', expires, 'Path=/', 'SameSite=Lax'],
    ]);
    const refresh = (name: string) =>
      open.call('POST', '/api/auth/refresh', { token: null, headers: { cookie: `${name}=one` } });
    expect([(await refresh('pulso_refresh')).status, (await refresh('__Host-pulso_refresh')).status]).toEqual(
      [200, 401],
    );
  });

  // Rule: ACCT-17
  it('is not taken from a sibling domain, which can set only a name without the prefix', async () => {
    const injected = { cookie: 'pulso_refresh=thief; __Host-pulso_refresh=refresh-token-1' };
    expect((await post('/api/auth/refresh', injected)).status).toBe(200);
    expect(asked('refreshSession')[0]?.request).toMatchObject({ refreshToken: 'refresh-token-1' });
    expect((await post('/api/auth/refresh', { cookie: 'pulso_refresh=thief' })).status).toBe(401);
  });

  it('is the refresh token’s only way: no answer has it in its body', async () => {
    expect(await (await login()).text()).not.toContain('refresh-token');
  });

  it('is rotated by a refresh', async () => {
    const response = await post('/api/auth/refresh', cookie);
    expect(response.status).toBe(200);
    expect(asked('refreshSession')[0]?.request).toMatchObject({ refreshToken: 'refresh-token-1' });
    expect(response.headers.getSetCookie()[0]).toContain('__Host-pulso_refresh=refresh-token-2');
  });

  it('is needed for a refresh', async () => {
    const response = await post('/api/auth/refresh');
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'not-authenticated' }),
    ]);
  });

  // Rule: ACCT-38
  it('stays when identity refuses it or is down: another tab may have signed in meanwhile', async () => {
    gateway.identity.refreshSession = () => Promise.reject(tokenExpired());
    const refused = await post('/api/auth/refresh', cookie);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
    gateway.identity.refreshSession = () => Promise.reject(unavailable());
    const down = await post('/api/auth/refresh', cookie);
    expect([down.status, down.headers.getSetCookie()]).toEqual([503, []]);
  });
});

// Rule: ACCT-17
// Rule: ACCT-18
describe('Origin', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://pulso.example.evil.example' },
    { origin: 'http://pulso.example' },
    { 'sec-fetch-site': 'cross-site' },
  ];

  it.each(foreign)('%j can neither refresh nor log out', async (headers) => {
    for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
      const response = await post(path, { ...cookie, ...headers });
      expect([response.status, await response.json()]).toEqual([
        403,
        expect.objectContaining({ code: 'permission-denied' }),
      ]);
    }
    expect([...asked('refreshSession'), ...asked('logOut')]).toEqual([]);
  });

  it('of ours, the address itself or none can', async () => {
    const own = [{ origin: 'https://pulso.example' }, { origin: gateway.url.replace('http:', 'https:') }, {}];
    for (const headers of own as Record<string, string>[]) {
      expect((await post('/api/auth/refresh', { ...cookie, ...headers })).status).toBe(200);
    }
    expect((await post('/api/auth/refresh', { ...cookie, origin: gateway.url })).status).toBe(403);
  });
});

// Rule: ACCT-20
describe('logout', () => {
  it('ends the cookie’s session and takes the cookie', async () => {
    const response = await post('/api/auth/logout', cookie);
    expect(response.status).toBe(204);
    expect(asked('logOut')[0]?.request).toEqual({ refreshToken: 'refresh-token-1' });
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-pulso_refresh=;/);
  });

  it('is 204 without a cookie, too', async () => {
    expect((await post('/api/auth/logout')).status).toBe(204);
    expect(asked('logOut')).toEqual([]);
  });

  it('carries Pulso-After, whether a token or the cookie says whose session it is', async () => {
    for (const token of [gateway.token, undefined]) {
      const response = await post('/api/auth/logout', cookie, token);
      expect(response.status).toBe(204);
      expect(response.headers.get('pulso-after')).toEqual(expect.any(String));
    }
    gateway.identity.logOut = () => Promise.resolve({ userId: '' });
    expect((await post('/api/auth/logout', cookie)).headers.has('pulso-after')).toBe(false);
  });

  it('without a cookie ends the token’s session', async () => {
    expect((await post('/api/auth/logout', {}, gateway.token)).status).toBe(204);
    expect(asked('logOut')[0]?.context?.caller?.sessionId).toBe(SESSION_ID);
  });
});

// Rule: ACCT-21
describe('a session that has ended', () => {
  const end = () => {
    gateway.identity.listEndedSessions = () =>
      Promise.resolve({ sessions: [{ id: SESSION_ID, endedAt: gateway.clock.now() }], more: false });
  };

  it('is refused at once where it was ended, on public paths as well', async () => {
    const other = await gateway.tokenFor(USER_ID, OTHER_SESSION_ID);
    gateway.identity.logOut = () => {
      end();
      return Promise.resolve({ userId: USER_ID });
    };
    expect((await gateway.call('GET', '/api/me')).status).toBe(200);
    await post('/api/auth/logout', cookie);
    for (const path of ['/api/me', '/api/config', '/api/feed']) {
      const response = await gateway.call('GET', path);
      expect([path, response.status, await response.json()]).toEqual([
        path,
        401,
        expect.objectContaining({ code: 'user-token-expired' }),
      ]);
    }
    expect((await gateway.call('GET', '/api/me', { token: other })).status).toBe(200);
  });

  it('is refused at once when another device ended it', async () => {
    gateway.identity.endSession = () => {
      end();
      return Promise.resolve({ userId: USER_ID });
    };
    const other = await gateway.tokenFor(USER_ID, OTHER_SESSION_ID);
    const response = await gateway.call('DELETE', `/api/auth/sessions/${SESSION_ID}`, { token: other });
    expect(response.status).toBe(204);
    expect((await gateway.call('GET', '/api/me')).status).toBe(401);
  });

  // How soon, with a clock that the test moves: ended-sessions-signals.spec.ts.
  it('is refused when it ended elsewhere', async () => {
    expect((await gateway.call('GET', '/api/me')).status).toBe(200);
    end();
    const refused = async () => (await gateway.call('GET', '/api/me')).status === 401;
    await until(refused, { what: 'the session that ended elsewhere to be refused' });
  });

  it('stays refused while identity is down', async () => {
    gateway.identity.logOut = () => {
      end();
      return Promise.resolve({ userId: USER_ID });
    };
    await post('/api/auth/logout', cookie);
    gateway.identity.listEndedSessions = () => Promise.reject(unavailable());
    await post('/api/auth/logout', cookie);
    expect((await gateway.call('GET', '/api/me')).status).toBe(401);
  });

  it('stays refused for as long as its access token lives', async () => {
    const long = await startGatewayForThisTest({ tokenSeconds: 3600 });
    const logout = () => long.call('POST', '/api/auth/logout');
    const endedAt = long.clock.now();
    const told = () => Promise.resolve({ sessions: [{ id: SESSION_ID, endedAt }], more: false });
    long.identity.logOut = () => {
      long.identity.listEndedSessions = told;
      return Promise.resolve({ userId: USER_ID });
    };
    expect((await logout()).status).toBe(204);
    for (const minutes of [9.9, 10.1, 30, 59.9]) {
      long.clock.set(endedAt + minutes * 60_000);
      // Another session’s end makes the gateway read the list and forget what is old.
      const other = await long.tokenFor(OTHER_ID, OTHER_SESSION_ID);
      expect((await long.call('DELETE', `/api/auth/sessions/${POST_ID}`, { token: other })).status).toBe(204);
      expect([minutes, (await long.call('GET', '/api/me')).status]).toEqual([minutes, 401]);
    }
  });

  it('is never let in by a gateway that has just started', async () => {
    const sessions = [{ id: SESSION_ID, endedAt: TIME }];
    const young = await startGatewayForThisTest({
      prepare: ({ identity }) =>
        (identity.listEndedSessions = () => Promise.resolve({ sessions, more: false })),
    });
    expect((await young.call('GET', '/api/me')).status).toBe(401);
  });

  it('is not let in by a gateway that cannot learn which sessions have ended', async () => {
    let answers = () => Promise.reject(unavailable());
    const young = await startGatewayForThisTest({
      prepare: ({ identity }) => (identity.listEndedSessions = () => answers()),
    });
    for (const path of ['/api/me', '/api/config']) {
      const response = await young.call('GET', path);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    }
    expect((await young.call('GET', '/api/config', { token: null })).status).toBe(200);
    answers = () => Promise.resolve({ sessions: [], more: false }) as never;
    const known = async () => {
      const { status } = await young.call('GET', '/api/me');
      return status !== 503 && status;
    };
    expect(await until(known, { what: 'the gateway to learn which sessions have ended' })).toBe(200);
  });

  it('is not believed by its id alone: identity decides whose it was', async () => {
    gateway.identity.endSession = () => Promise.reject(new DomainError('not-found', 'Not found'));
    const stranger = await gateway.tokenFor(OTHER_ID, OTHER_SESSION_ID);
    const response = await gateway.call('DELETE', `/api/auth/sessions/${SESSION_ID}`, { token: stranger });
    expect(response.status).toBe(404);
    expect((await gateway.call('GET', '/api/me')).status).toBe(200);
  });
});

describe('the list of devices', () => {
  it('shows each with its times', async () => {
    const device = { userAgent: 'Firefox', address: '203.0.113.7' };
    gateway.identity.listSessions = () =>
      Promise.resolve({
        sessions: [{ id: SESSION_ID, device, createdAt: TIME, lastUsedAt: TIME + 1, current: true }],
      });
    const response = await gateway.call('GET', '/api/auth/sessions');
    expect(await response.json()).toEqual({
      items: [
        {
          id: SESSION_ID,
          userAgent: 'Firefox',
          address: '203.0.113.7',
          createdAt: '2026-05-04T09:30:00.000Z',
          lastUsedAt: '2026-05-04T09:30:00.001Z',
          current: true,
        },
      ],
      nextCursor: null,
    });
  });

  // Rule: HTTP-32
  it('is not paged: what looks like a page of it is ignored', async () => {
    const response = await gateway.call('GET', '/api/auth/sessions?limit=0&cursor=x');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ nextCursor: null });
  });
});
