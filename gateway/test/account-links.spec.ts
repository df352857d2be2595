import { DomainError } from '@pulso/platform/errors/domain-error';
import { RATE_LIMITS } from '../src/rate-limit/limits.js';
import { OTHER_ID, SESSION_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './support/start-test-gateway.js';

const TOKEN = '3mJr0Qd7Y1mP9sK2vX8wA5tB6nC4zE0hL7uF1gR9oIc';
const PASSWORD = 'another long sentence';
const MINUTE = 60_000;

let gateway: TestGateway;
let lines: string[];
const start = async (options: TestGatewayOptions = {}) => {
  lines = [];
  gateway = await startTestGateway(options, { write: (line) => void lines.push(line) });
};
afterEach(() => gateway?.close());

const visitor = (path: string, json: unknown) =>
  gateway.call('POST', `/api/auth/${path}`, { token: null, json });
const forgot = (email: string) => visitor('password/forgot', { email });
const reset = (token = TOKEN) => visitor('password/reset', { token, password: PASSWORD });
const verify = (token = TOKEN) => visitor('email/verify', { token });
const member = (path: string, json?: unknown, token = gateway.token) =>
  gateway.call('POST', `/api/auth/${path}`, { json, token });
const asked = (name: string) =>
  gateway.calls.filter(({ method }) => method === name).map(({ request }) => request);
type Refused = 'resetPassword' | 'verifyEmail' | 'changePassword' | 'eraseMe';
const refuse = (method: Refused, code = 'invalid-action-code') =>
  (gateway.identity[method] = () => Promise.reject(new DomainError(code as 'wrong-password', 'No')));
const statuses = async (count: number, call: (index: number) => Promise<Response>) => {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await call(index)).status);
  return all;
};
const times = (count: number, status: number) => Array.from({ length: count }, () => status);

// Rule: ACCT-10, HTTP-43
it('a forgotten password is asked for without an answer, by visitors and members', async () => {
  await start();
  const response = await forgot(' Ana@Example.com ');
  expect([response.status, await response.text(), response.headers.get('pulso-after')]).toEqual([
    202,
    '',
    null,
  ]);
  expect((await member('password/forgot', { email: 'ben@example.com' })).status).toBe(202);
  expect(asked('forgotPassword')).toEqual([{ email: 'ana@example.com' }, { email: 'ben@example.com' }]);
});

// Rule: ACCT-10, ACCT-27, HTTP-43
it('tokens of links are handed on as they are, and bad ones are 400', async () => {
  await start();
  for (const response of [await reset(), await verify(), await reset(''), await verify('x')])
    expect([response.status, await response.text()]).toEqual([204, '']);
  expect(asked('resetPassword')).toEqual([
    { token: TOKEN, password: PASSWORD },
    { token: '', password: PASSWORD },
  ]);
  expect(asked('verifyEmail')).toEqual([{ token: TOKEN }, { token: 'x' }]);
  for (const method of ['resetPassword', 'verifyEmail'] as const) refuse(method);
  for (const response of [await reset(), await verify()]) {
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid-action-code', title: 'Invalid link' });
  }
});

// Rule: ACCT-9, HTTP-43
it('a password is changed by the present one, or without one', async () => {
  await start();
  const json = { currentPassword: 'a long sentence', password: PASSWORD };
  expect((await member('password/change', json)).status).toBe(204);
  expect((await member('password/change', { password: PASSWORD })).status).toBe(204);
  expect(asked('changePassword')).toEqual([json, { currentPassword: '', password: PASSWORD }]);
  refuse('changePassword', 'wrong-password');
  const refused = await member('password/change', json);
  expect([refused.status, await refused.json()]).toEqual([
    403,
    expect.objectContaining({ code: 'wrong-password' }),
  ]);
});

// Rule: ACCT-27, HTTP-43
it('a link is sent again to who is signed in', async () => {
  await start();
  const response = await member('email/resend');
  expect([response.status, await response.text()]).toEqual([202, '']);
  expect(asked('resendVerification')).toEqual([{}]);
});

// Rule: ACCT-21, ACCT-22
describe('sessions that end with these calls are refused here at once:', () => {
  const other = () => gateway.tokenFor(OTHER_ID, '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e60');
  it.each<[string, () => Promise<Response>]>([
    ['a reset', () => reset()],
    ['a change', async () => member('password/change', { password: PASSWORD }, await other())],
    [
      'the end of all others',
      async () => gateway.call('DELETE', '/api/auth/sessions', { token: await other() }),
    ],
  ])('%s', async (_, call) => {
    await start();
    expect((await gateway.call('GET', '/api/me')).status).toBe(200);
    gateway.identity.listEndedSessions = () =>
      Promise.resolve({ sessions: [{ id: SESSION_ID, endedAt: gateway.clock.now() }], more: false });
    expect((await call()).status).toBe(204);
    expect((await gateway.call('GET', '/api/me')).status).toBe(401);
  });
});

// Rule: LIMIT-1, LIMIT-3
describe('limits', () => {
  it('of asking for a link are those of an address, whoever is asked for; malformed ones do not count', async () => {
    const { hits, windowMs } = RATE_LIMITS['forgot-address'];
    expect([hits, windowMs]).toEqual([30, 5 * MINUTE]);
    await start({ RATE_LIMIT_FACTOR: 3 / hits, TRUSTED_PROXIES: 1 });
    expect(await statuses(5, () => forgot('nobody'))).toEqual(times(5, 400));
    expect(await statuses(4, (index) => forgot(`user-${index}@example.com`))).toEqual([
      ...times(3, 202),
      429,
    ]);
    const elsewhere = await gateway.call('POST', '/api/auth/password/forgot', {
      ...{ token: null, json: { email: 'user-9@example.com' } },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    expect(elsewhere.status).toBe(202);
  });

  it('of tokens count the bad ones of an address, for both kinds of links together', async () => {
    const { hits } = RATE_LIMITS['action-code-address'];
    await start({ RATE_LIMIT_FACTOR: 1 });
    expect(await statuses(hits + 1, () => verify())).toEqual(times(hits + 1, 204));
    for (const method of ['resetPassword', 'verifyEmail'] as const) refuse(method);
    expect(await statuses(hits, (index) => (index % 2 ? reset() : verify()))).toEqual(times(hits, 400));
    expect([(await reset()).status, (await verify()).status]).toEqual([429, 429]);
    gateway.clock.advance(10 * MINUTE);
    expect((await reset()).status).toBe(400);
  });

  // Rule: ACCT-14
  it('of wrong passwords hold where the password is changed', async () => {
    const { hits } = RATE_LIMITS['password-account-address'];
    await start({ RATE_LIMIT_FACTOR: 1 });
    for (const method of ['changePassword', 'eraseMe'] as const) refuse(method, 'wrong-password');
    const erase = () => gateway.call('DELETE', '/api/me', { json: { password: 'x' } });
    const guess = (index: number) =>
      index % 2 ? erase() : member('password/change', { currentPassword: 'x', password: PASSWORD });
    expect(await statuses(hits + 2, guess)).toEqual([...times(hits, 403), 429, 429]);
    const edit = { email: 'new@example.com', currentPassword: 'x' };
    expect((await gateway.call('PATCH', '/api/me', { json: edit })).status).toBe(429);
  });

  // Rule: LIMIT-4
  it.each([
    ['password-changes-account', 20, () => member('password/change', { password: PASSWORD })],
    ['verification-mails-account', 30, () => member('email/resend')],
    ['session-ends-account', 60, () => gateway.call('DELETE', '/api/auth/sessions')],
  ] as const)('of an account: %s is %i an hour', async (name, hits, call) => {
    expect(RATE_LIMITS[name]).toMatchObject({ hits, windowMs: 60 * MINUTE });
    await start({ RATE_LIMIT_FACTOR: 2 / hits });
    const results = await statuses(3, () => {
      // The general limits have a window of a minute.
      gateway.clock.advance(MINUTE);
      return call();
    });
    expect(results.map((status) => status < 300)).toEqual([true, true, false]);
  });
});

// Rule: ACCT-41
it('neither a token, an address nor a password is logged', async () => {
  await start();
  const all = async () => {
    for (const send of [() => reset(), () => verify(), () => forgot('secret-address@example.com')])
      await send();
    await member('password/change', { currentPassword: 'secret words', password: PASSWORD });
  };
  await all();
  for (const method of ['resetPassword', 'verifyEmail'] as const) refuse(method);
  await all();
  for (const method of ['resetPassword', 'verifyEmail', 'changePassword', 'forgotPassword'] as const)
    gateway.identity[method] = () => Promise.reject(new Error('broken'));
  await all();
  expect(lines.join('')).toContain('/api/auth/password/reset');
  for (const secret of [TOKEN, PASSWORD, 'secret-address', 'secret words'])
    expect(lines.join('')).not.toContain(secret);
});
