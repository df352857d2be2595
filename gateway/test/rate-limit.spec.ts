import { DomainError, validationFailed } from '@pulso/platform/errors/domain-error';
import { COMMENT_ID, OTHER_ID, POST_ID } from './support/fake-clients.js';
import { RATE_LIMITS } from '../src/rate-limit/limits.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
afterEach(() => gateway?.close());

const login = (email: string, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/api/auth/login', { token: null, json: { email, password: 'x' }, headers });

async function times(count: number, call: (index: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await call(index)).status);
  return statuses;
}

const all = (status: number, count: number) => Array.from({ length: count }, () => status);

// Rule: LIMIT-1
describe('rate limits', () => {
  // Rule: ACCT-13
  it('stop guessing one account’s password, from wherever, and say until when', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 1, TRUSTED_PROXIES: 1 });
    const { hits } = RATE_LIMITS['login-account'];
    const from = (index: number) => ({ 'x-forwarded-for': `203.0.113.${index}` });
    expect(await times(hits, (index) => login('ana@example.com', from(index)))).toEqual(all(200, hits));
    const refused = await login(' ANA@example.com ', from(99));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('300');
    expect(await refused.json()).toMatchObject({ code: 'too-many-requests', status: 429 });
    expect((await login('ben@example.com', from(99))).status).toBe(200);
    gateway.clock.advance(300_000);
    expect((await login('ana@example.com')).status).toBe(200);
  });

  // Rule: ACCT-13
  it('stop one address from trying many accounts', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.1 });
    const statuses = await times(4, (index) => login(`user-${index}@example.com`));
    expect(statuses).toEqual([...all(200, 3), 429]);
  });

  // Rule: ACCT-13
  it('do not believe an address that no trusted proxy has told', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.1 });
    const forged = (index: number) => ({ 'x-forwarded-for': `203.0.113.${index}` });
    const statuses = await times(4, (index) => login(`user-${index}@example.com`, forged(index)));
    expect(statuses.at(-1)).toBe(429);
  });

  it('count writes per account', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.025 });
    const edit = (token: string) =>
      gateway.call('PATCH', `/api/posts/${POST_ID}`, { token, json: { content: 'x' } });
    expect(await times(4, () => edit(gateway.token))).toEqual([200, 200, 200, 429]);
    expect((await gateway.call('GET', '/api/feed')).status).toBe(200);
    expect((await edit(await gateway.tokenFor(OTHER_ID))).status).toBe(200);
  });

  // Rule: LIMIT-4
  it.each([
    ['POST', '/api/posts', { content: 'x' }, 'posts-account'],
    ['POST', `/api/posts/${POST_ID}/comments`, { content: 'x' }, 'comments-account'],
    ['PUT', `/api/posts/${POST_ID}/like`, undefined, 'likes-account'],
    ['PUT', `/api/comments/${COMMENT_ID}/like`, undefined, 'likes-account'],
    ['PUT', `/api/users/${OTHER_ID}/follow`, undefined, 'follows-account'],
    ['POST', '/api/reports', { subjectType: 'post', subjectId: POST_ID, reason: 'spam' }, 'reports-account'],
  ] as const)('count %s %s per account and hour', async (method, path, json, name) => {
    const { hits, windowMs } = RATE_LIMITS[name];
    expect(windowMs).toBe(3_600_000);
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 2 / hits });
    const call = async (token = gateway.token) => {
      // This test is not about the general limits, whose window is a minute.
      gateway.clock.advance(60_000);
      return gateway.call(method, path, { json, token });
    };
    const statuses = await times(3, () => call());
    expect(statuses.map((status) => status < 300)).toEqual([true, true, false]);
    const refused = await call();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(3_600 - 3 * 60)]);
    expect((await call(await gateway.tokenFor(OTHER_ID))).status).toBeLessThan(300);
  });

  it('count every request of an address', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.005 });
    const statuses = await times(7, () => gateway.call('GET', '/api/config', { token: null }));
    expect(statuses).toEqual([...all(200, 6), 429]);
  });

  // Rule: LIMIT-3
  describe('of signing up', () => {
    const signUp = (changes: Record<string, unknown> = {}) => {
      const person = {
        email: 'ana@example.com',
        password: 'x'.repeat(8),
        name: 'Ana',
        username: 'ana-torres',
      };
      return gateway.call('POST', '/api/auth/signup', { token: null, json: { ...person, ...changes } });
    };

    it('do not count what validation refuses, here or in identity', async () => {
      gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.1 });
      expect(await times(4, () => signUp({ email: 'nobody' }))).toEqual(all(400, 4));
      const { signUp: accept } = gateway.identity;
      gateway.identity.signUp = () =>
        Promise.reject(validationFailed([{ path: 'password', message: 'Too short', code: 'too-short' }]));
      expect(await times(4, () => signUp())).toEqual(all(400, 4));
      gateway.identity.signUp = accept;
      expect(await times(3, () => signUp())).toEqual([201, 201, 429]);
    });

    it('count what asks whether somebody has an account', async () => {
      gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.1 });
      gateway.identity.signUp = () => Promise.reject(new DomainError('email-already-in-use', 'In use'));
      expect(await times(3, () => signUp())).toEqual([409, 409, 429]);
    });
  });

  // Rule: LIMIT-3
  describe('of refreshing', () => {
    const refresh = (token?: string) =>
      gateway.call('POST', '/api/auth/refresh', {
        token: null,
        headers: token === undefined ? {} : { cookie: `pulso_refresh=${token}` },
      });

    it('do not count visitors without a cookie', async () => {
      gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.01 });
      expect(await times(8, () => refresh())).toEqual(all(401, 8));
      expect((await refresh('ana')).status).toBe(200);
    });

    it('count each token by itself', async () => {
      gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.02 });
      expect(await times(3, () => refresh('ana'))).toEqual([200, 200, 429]);
      expect((await refresh('ben')).status).toBe(200);
    });

    it('have a ceiling for one address with many tokens', async () => {
      gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.005 });
      const statuses: number[] = [];
      // This test is not about the general limit, whose window is a minute.
      for (let minute = 0; minute < 4; minute += 1) {
        statuses.push(...(await times(5, (index) => refresh(`token-${minute}-${index}`))));
        gateway.clock.advance(60_000);
      }
      expect(statuses).toEqual([...all(200, 15), ...all(429, 5)]);
    });
  });

  it('are off with factor 0', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0 });
    const { hits } = RATE_LIMITS['login-address'];
    expect(await times(hits + 5, () => login('ana@example.com'))).toEqual(all(200, hits + 5));
  });
});
