import { DomainError, unavailable, validationFailed } from '@pulso/platform/errors/domain-error';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import { gate } from '@pulso/platform/testing/gate';
import { COMMENT_ID, CONVERSATION_ID, OTHER_ID, POST_ID, SESSION_ID } from './support/fake-clients.js';
import { MEDIA_ID } from './support/fake-media.js';
import { RATE_LIMITS } from '../src/rate-limit/limits.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
afterEach(() => gateway?.close());

const invalidCredential = () => new DomainError('invalid-credential', 'Wrong');
const wrongPassword = () => new DomainError('wrong-password', 'Wrong');

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
  // Rule: ACCT-14
  describe('of wrong passwords', () => {
    const from = (index: number) => ({ 'x-forwarded-for': `203.0.113.${index}` });
    const { hits } = RATE_LIMITS['login-email-address'];
    let judge: 'right' | 'wrong' | 'disabled' | 'down';
    /** By how much answers were to come later, in milliseconds. */
    let delays: number[];

    const start = async (factor = 1) => {
      delays = [];
      const delay = async (milliseconds: number) => void delays.push(milliseconds);
      gateway = await startTestGateway({ RATE_LIMIT_FACTOR: factor, TRUSTED_PROXIES: 1, delay });
      const { logIn, updateMe } = gateway.identity;
      const refusals = {
        wrong: () => invalidCredential(),
        disabled: () => userDisabled(),
        down: () => unavailable(),
      };
      gateway.identity.logIn = (request) =>
        judge === 'right' ? logIn!(request) : Promise.reject(refusals[judge]());
      gateway.identity.updateMe = (request) =>
        judge === 'wrong' ? Promise.reject(wrongPassword()) : updateMe!(request);
      judge = 'wrong';
    };

    it('stop one address from guessing one account’s password, and say until when', async () => {
      await start();
      expect(await times(hits, () => login('ana@example.com', from(1)))).toEqual(all(401, hits));
      judge = 'right';
      const refused = await login(' ANA@example.com ', from(1));
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('300');
      expect(await refused.json()).toMatchObject({ code: 'too-many-requests', status: 429 });
      expect((await login('ben@example.com', from(1))).status).toBe(200);
      gateway.clock.advance(300_000);
      expect((await login('ana@example.com', from(1))).status).toBe(200);
    });

    it('never keep the owner out at another address, whoever has guessed, however often', async () => {
      await start(0.02);
      for (let index = 0; index < 4; index += 1) await login('ana@example.com', from(index));
      expect((await login('ana@example.com', from(3))).status).toBe(429);
      judge = 'right';
      expect((await login('ana@example.com', from(99))).status).toBe(200);
    });

    it('make the answers come later and later where many addresses guess', async () => {
      await start(0.02);
      expect(await times(15, (index) => login('ana@example.com', from(index)))).toEqual(all(401, 15));
      // All beyond the first two, the longest of them 3 s.
      expect(delays).toEqual(Array.from({ length: 13 }, (_, index) => Math.min(250 * (index + 1), 3_000)));
      expect(RATE_LIMITS['login-email']).toMatchObject({ hits: 100, windowMs: 3_600_000, delays: true });
    });

    it('judge no password before its delay is over', async () => {
      const delayed = gate('the delay of a login');
      const goesOn = gate('the end of the delay');
      gateway = await startTestGateway({
        RATE_LIMIT_FACTOR: 0.01,
        TRUSTED_PROXIES: 1,
        delay: async () => {
          delayed.open();
          await goesOn.opened;
        },
      });
      const judged = () => gateway.calls.filter(({ method }) => method === 'logIn').length;
      gateway.identity.logIn = () => Promise.reject(invalidCredential());
      await login('ana@example.com', from(1));
      const answer = login('ana@example.com', from(2));
      await delayed.opened;
      expect(judged()).toBe(1);
      goesOn.open();
      expect([(await answer).status, judged()]).toEqual([401, 2]);
    });

    it.each(['right', 'disabled', 'down'] as const)(
      'do not count a password that was %s',
      async (outcome) => {
        await start(0.1);
        judge = outcome;
        await times(2, () => login('ana@example.com', from(1)));
        judge = 'wrong';
        expect((await login('ana@example.com', from(1))).status).toBe(401);
      },
    );

    it('hold for every password that a signed-in user is asked for', async () => {
      await start();
      const change = (json: Record<string, unknown>, index = 1) =>
        gateway.call('PATCH', '/api/me', { json, headers: from(index) });
      const guess = (index?: number) => change({ email: 'new@example.com', currentPassword: 'x' }, index);
      expect(await times(hits, () => guess())).toEqual(all(403, hits));
      judge = 'right';
      expect((await guess()).status).toBe(429);
      expect((await change({ bio: 'x' })).status).toBe(200);
      expect((await guess(2)).status).toBe(200);
    });
  });

  // Rule: ACCT-26
  it('count an account’s changes of the e-mail address, refused for being taken as well', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 1 });
    const change = (json: Record<string, unknown> = { email: 'new@example.com' }) =>
      gateway.call('PATCH', '/api/me', { json });
    expect(await times(2, () => change())).toEqual([200, 200]);
    const { updateMe } = gateway.identity;
    gateway.identity.updateMe = () => Promise.reject(new DomainError('email-already-in-use', 'In use'));
    expect(await times(3, () => change())).toEqual([409, 409, 409]);
    const refused = await change();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
    gateway.identity.updateMe = updateMe;
    expect((await change({ bio: 'x' })).status).toBe(200);
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

  it.each(['/api/nope', '/nope', '/api/posts/%zz'])(
    'count requests of %s, which no route takes',
    async (path) => {
      gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 3 / RATE_LIMITS['any-address'].hits });
      expect(await times(4, () => gateway.call('GET', path, { token: null }))).toEqual([404, 404, 404, 429]);
    },
  );

  it('count writes per account', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 0.025 });
    const unlike = (token: string) => gateway.call('DELETE', `/api/posts/${POST_ID}/like`, { token });
    expect(await times(4, () => unlike(gateway.token))).toEqual([200, 200, 200, 429]);
    expect((await gateway.call('GET', '/api/feed')).status).toBe(200);
    expect((await unlike(await gateway.tokenFor(OTHER_ID))).status).toBe(200);
  });

  // Rule: LIMIT-4
  it.each([
    ['POST', '/api/posts', { content: 'x' }, 'posts-account'],
    ['PATCH', `/api/posts/${POST_ID}`, { content: 'x' }, 'post-edits-account'],
    ['DELETE', `/api/posts/${POST_ID}`, undefined, 'post-deletions-account'],
    ['PATCH', '/api/me', { bio: 'x' }, 'me-edits-account'],
    ['PUT', `/api/coaches/${OTHER_ID}/reviews/mine`, { rating: 5, comment: 'x' }, 'reviews-account'],
    ['DELETE', `/api/coaches/${OTHER_ID}/reviews/mine`, undefined, 'reviews-account'],
    ['POST', `/api/posts/${POST_ID}/comments`, { content: 'x' }, 'comments-account'],
    ['DELETE', `/api/comments/${COMMENT_ID}`, undefined, 'comment-deletions-account'],
    ['PUT', `/api/posts/${POST_ID}/like`, undefined, 'likes-account'],
    ['DELETE', `/api/posts/${POST_ID}/like`, undefined, 'unlikes-account'],
    ['PUT', `/api/comments/${COMMENT_ID}/like`, undefined, 'likes-account'],
    ['DELETE', `/api/comments/${COMMENT_ID}/like`, undefined, 'unlikes-account'],
    ['PUT', `/api/users/${OTHER_ID}/follow`, undefined, 'follows-account'],
    ['DELETE', `/api/users/${OTHER_ID}/follow`, undefined, 'unfollows-account'],
    ['PUT', `/api/users/${OTHER_ID}/block`, undefined, 'blocks-account'],
    ['DELETE', `/api/users/${OTHER_ID}/block`, undefined, 'blocks-account'],
    ['PUT', `/api/subscriptions/${OTHER_ID}`, undefined, 'subscriptions-account'],
    ['DELETE', `/api/subscriptions/${OTHER_ID}`, undefined, 'subscriptions-account'],
    ['POST', '/api/messages', { receiverId: OTHER_ID, content: 'x' }, 'messages-account'],
    ['POST', '/api/conversations', { userId: OTHER_ID }, 'conversations-account'],
    ['POST', `/api/conversations/${CONVERSATION_ID}/read`, {}, 'read-marks-account'],
    ['POST', '/api/notifications/read', {}, 'read-marks-account'],
    ['DELETE', `/api/media/${MEDIA_ID}`, undefined, 'image-deletions-account'],
    ['DELETE', `/api/auth/sessions/${SESSION_ID}`, undefined, 'session-ends-account'],
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

  // Rule: LIMIT-4
  it('count reviews that are put and those that are deleted together', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 2 / RATE_LIMITS['reviews-account'].hits });
    const path = `/api/coaches/${OTHER_ID}/reviews/mine`;
    const put = () => gateway.call('PUT', path, { json: { rating: 5, comment: 'x' } });
    const statuses = await times(3, (index) => (index === 1 ? gateway.call('DELETE', path) : put()));
    expect(statuses.map((status) => status < 300)).toEqual([true, true, false]);
  });

  // Rule: LIMIT-4
  it('allow so many edits, reviews and blocks in an hour', () => {
    const edits = ['post-edits-account', 'me-edits-account', 'reviews-account', 'blocks-account'] as const;
    expect(edits.map((name) => RATE_LIMITS[name].hits)).toEqual([120, 60, 30, 60]);
  });

  // Rule: LIMIT-3
  it('do not count edits of a profile that validation refuses', async () => {
    gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 2 / RATE_LIMITS['me-edits-account'].hits });
    const edit = (name: string) => gateway.call('PATCH', '/api/me', { json: { name } });
    expect((await edit('\u0301')).status).toBe(400);
    expect(await times(3, () => edit('Ana'))).toEqual([200, 200, 429]);
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
        headers: token === undefined ? {} : { cookie: `__Host-pulso_refresh=${token}` },
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
