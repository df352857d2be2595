import { DomainError, tokenExpired, unavailable } from '@pulso/platform/errors/domain-error';
import { until } from '@pulso/platform/testing/until';
import { OTHER_ID, SESSION_ID, TIME, USER_ID } from './support/fake-clients.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway?.close());

const cookie = { cookie: 'pulso_refresh=refresh-token-1' };
const post = (path: string, headers: Record<string, string> = {}, token: string | null = null) =>
  gateway.call('POST', path, { token, headers });
const asked = (name: string) => gateway.calls.filter(({ method }) => method === name);

// Rule: ACCT-16
describe('the refresh cookie', () => {
  const login = () =>
    gateway.call('POST', '/api/auth/login', {
      token: null,
      json: { email: 'ana@example.com', password: 'x' },
    });

  it('is kept from scripts, other sites and other paths', async () => {
    const [set] = (await login()).headers.getSetCookie();
    const parts = set!.split('; ');
    expect(parts[0]).toBe('pulso_refresh=refresh-token-2');
    const expires = new Date(TIME + 30 * 86_400_000).toUTCString();
    expect(parts.slice(1).sort()).toEqual(
      ['Path=/api/auth', `Expires=${expires}`, 'HttpOnly', 'Secure', 'SameSite=Strict'].sort(),
    );
  });

  it('is Secure only where PUBLIC_URL is https', async () => {
    const plain = await startGatewayForThisTest({ PUBLIC_URL: 'http://localhost:8080' });
    const response = await plain.call('POST', '/api/auth/login', {
      token: null,
      json: { email: 'ana@example.com', password: 'x' },
    });
    expect(response.headers.getSetCookie()[0]).not.toContain('Secure');
  });

  it('is the refresh token’s only way: no answer has it in its body', async () => {
    expect(await (await login()).text()).not.toContain('refresh-token');
  });

  it('is rotated by a refresh', async () => {
    const response = await post('/api/auth/refresh', cookie);
    expect(response.status).toBe(200);
    expect(asked('refreshSession')[0]?.request).toMatchObject({ refreshToken: 'refresh-token-1' });
    expect(response.headers.getSetCookie()[0]).toContain('pulso_refresh=refresh-token-2');
  });

  it('is needed for a refresh', async () => {
    const response = await post('/api/auth/refresh');
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'not-authenticated' }),
    ]);
  });

  it('is taken away when identity refuses it, but not when identity is down', async () => {
    gateway.identity.refreshSession = () => Promise.reject(tokenExpired());
    const refused = await post('/api/auth/refresh', cookie);
    expect(refused.status).toBe(401);
    expect(refused.headers.getSetCookie()[0]).toMatch(/^pulso_refresh=;.*Expires=Thu, 01 Jan 1970/);
    gateway.identity.refreshSession = () => Promise.reject(unavailable());
    const down = await post('/api/auth/refresh', cookie);
    expect([down.status, down.headers.getSetCookie()]).toEqual([503, []]);
  });
});

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
    const own = [{ origin: 'https://pulso.example' }, { origin: gateway.url }, {}];
    for (const headers of own as Record<string, string>[]) {
      expect((await post('/api/auth/refresh', { ...cookie, ...headers })).status).toBe(200);
    }
  });
});

// Rule: ACCT-20
describe('logout', () => {
  it('ends the cookie’s session and takes the cookie', async () => {
    const response = await post('/api/auth/logout', cookie);
    expect(response.status).toBe(204);
    expect(asked('logOut')[0]?.request).toEqual({ refreshToken: 'refresh-token-1' });
    expect(response.headers.getSetCookie()[0]).toMatch(/^pulso_refresh=;/);
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
      Promise.resolve({ sessions: [{ id: SESSION_ID, endedAt: gateway.clock.now() }] });
  };

  it('is refused at once where it was ended, on public paths as well', async () => {
    const other = await gateway.tokenFor(USER_ID, '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e60');
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
    const other = await gateway.tokenFor(USER_ID, '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e60');
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

  it('is not believed by its id alone: identity decides whose it was', async () => {
    gateway.identity.endSession = () => Promise.reject(new DomainError('not-found', 'Not found'));
    const stranger = await gateway.tokenFor(OTHER_ID, '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e60');
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
});
