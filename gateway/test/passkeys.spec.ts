import { DomainError } from '@pulso/platform/errors/domain-error';
import { RATE_LIMITS } from '../src/rate-limit/limits.js';
import { TIME, USER_ID } from './support/fake-clients.js';
import { aPasskey, PASSKEY_CREATION, PASSKEY_ID, PASSKEY_REQUEST } from './support/fake-passkeys.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './support/start-test-gateway.js';

const MINUTE = 60_000;
const ORIGIN = 'https://pulso.example';
const SIGNED = {
  id: 'q8Jm1vT0b7mWc3nZ',
  clientDataJSON: 'c2VjcmV0IGRhdGE',
  authenticatorData: 'c2VjcmV0IGZsYWdz',
  signature: 'c2VjcmV0IHNpZ25hdHVyZQ',
};
const ASSERTION = {
  id: SIGNED.id,
  clientDataJson: SIGNED.clientDataJSON,
  authenticatorData: SIGNED.authenticatorData,
  signature: SIGNED.signature,
};
const SHOWN = {
  id: PASSKEY_ID,
  name: 'Phone',
  createdAt: new Date(TIME).toISOString(),
  lastUsedAt: null,
  backedUp: true,
};

let gateway: TestGateway;
let lines: string[];
const start = async (options: TestGatewayOptions = {}) => {
  lines = [];
  gateway = await startTestGateway(options, { write: (line) => void lines.push(line) });
};
afterEach(() => gateway?.close());

const call = (method: string, path = '', json?: unknown, token: string | null = gateway.token) =>
  gateway.call(method, `/api/auth/passkeys${path}`, { json, token });
const asked = (name: string) =>
  gateway.calls.filter(({ method }) => method === name).map(({ request }) => request);
const answerOf = async (response: Response) => [response.status, await response.json()];

// Rule: ACCT-43
describe('a sign-in by a passkey', () => {
  it('begins with what the browser takes, for the host that browsers reach', async () => {
    await start();
    expect(await answerOf(await call('POST', '/login/options', undefined, null))).toEqual([
      200,
      PASSKEY_REQUEST,
    ]);
    expect(asked('beginPasskeyLogIn')).toEqual([{ origin: ORIGIN }]);
  });

  it('sets the session’s cookie, as any login does', async () => {
    await start();
    const response = await call('POST', '/login', { ...SIGNED, userHandle: 'AZjypA' }, null);
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-pulso_refresh=refresh-token-2; /);
    expect(await response.json()).toMatchObject({ expiresIn: 600, user: { id: USER_ID } });
    expect(asked('logInByPasskey')).toEqual([
      {
        origin: ORIGIN,
        assertion: { ...ASSERTION, userHandle: 'AZjypA' },
        device: { userAgent: 'node', address: '127.0.0.1' },
      },
    ]);
  });

  it.each([
    ['invalid-credential', 401],
    ['user-disabled', 403],
  ] as const)('that is refused with %s leaves no cookie', async (code, status) => {
    await start();
    gateway.identity.logInByPasskey = () => Promise.reject(new DomainError(code, 'No'));
    const response = await call('POST', '/login', SIGNED, null);
    expect([response.status, response.headers.getSetCookie()]).toEqual([status, []]);
    expect(await response.json()).toMatchObject({ code });
  });

  // Rule: ACCT-13
  it('counts as a login; asking for a challenge does not', async () => {
    await start({ RATE_LIMIT_FACTOR: 0.1 });
    for (let time = 0; time < 5; time += 1)
      expect((await call('POST', '/login/options', undefined, null)).status).toBe(200);
    const statuses = [];
    for (let time = 0; time < 4; time += 1)
      statuses.push((await call('POST', '/login', SIGNED, null)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const login = { email: 'ana@example.com', password: 'x' };
    expect((await gateway.call('POST', '/api/auth/login', { token: null, json: login })).status).toBe(429);
  });
});

// Rule: ACCT-43
describe('the passkeys of the caller', () => {
  it('are listed whole', async () => {
    await start();
    gateway.identity.listPasskeys = () =>
      Promise.resolve({ passkeys: [aPasskey(), aPasskey({ lastUsedAt: TIME + 1, backedUp: false })] });
    expect(await answerOf(await call('GET'))).toEqual([
      200,
      {
        items: [SHOWN, { ...SHOWN, lastUsedAt: new Date(TIME + 1).toISOString(), backedUp: false }],
        nextCursor: null,
      },
    ]);
  });

  it('get a new one: its options, then what its authenticator has made', async () => {
    await start();
    expect(await answerOf(await call('POST', '/options', { currentPassword: 'secret words' }))).toEqual([
      200,
      PASSKEY_CREATION,
    ]);
    expect((await call('POST', '/options', {})).status).toBe(200);
    expect(asked('beginPasskey')).toEqual([
      { origin: ORIGIN, currentPassword: 'secret words' },
      { origin: ORIGIN },
    ]);
    const made = { id: SIGNED.id, clientDataJSON: SIGNED.clientDataJSON, attestationObject: 'bzJO' };
    expect(await answerOf(await call('POST', '', { ...made, name: ' Phone ' }))).toEqual([201, SHOWN]);
    expect(asked('addPasskey')).toEqual([
      {
        origin: ORIGIN,
        name: 'Phone',
        attestation: {
          id: SIGNED.id,
          clientDataJson: SIGNED.clientDataJSON,
          attestationObject: 'bzJO',
          transports: [],
        },
      },
    ]);
  });

  it('are renamed and removed', async () => {
    await start();
    expect(await answerOf(await call('PATCH', `/${PASSKEY_ID}`, { name: 'Old phone' }))).toEqual([
      200,
      SHOWN,
    ]);
    expect(asked('renamePasskey')).toEqual([{ id: PASSKEY_ID, name: 'Old phone' }]);
    expect((await call('DELETE', `/${PASSKEY_ID}`)).status).toBe(204);
    expect(asked('removePasskey')).toEqual([{ id: PASSKEY_ID }]);
  });

  it('are shown in place of the current password', async () => {
    await start();
    expect(await answerOf(await call('POST', '/confirm/options'))).toEqual([200, PASSKEY_REQUEST]);
    expect((await call('POST', '/confirm', SIGNED)).status).toBe(204);
    expect(asked('confirmByPasskey')).toEqual([
      { origin: ORIGIN, assertion: { ...ASSERTION, userHandle: '' } },
    ]);
    gateway.identity.confirmByPasskey = () => Promise.reject(new DomainError('wrong-password', 'No'));
    const refused = await call('POST', '/confirm', SIGNED);
    // 401 would sign the client out.
    expect(await answerOf(refused)).toEqual([403, expect.objectContaining({ code: 'wrong-password' })]);
  });

  // Rule: ACCT-14
  it('are not added by who guesses passwords', async () => {
    const { hits } = RATE_LIMITS['password-account-address'];
    await start({ RATE_LIMIT_FACTOR: 1 });
    gateway.identity.beginPasskey = () => Promise.reject(new DomainError('wrong-password', 'No'));
    const guess = async () => (await call('POST', '/options', { currentPassword: 'x' })).status;
    for (let time = 0; time < hits; time += 1) expect(await guess()).toBe(403);
    expect(await guess()).toBe(429);
  });

  // Rule: LIMIT-4, LIMIT-19
  it.each<[string, string, string, unknown]>([
    ['asked for', 'POST', '/options', {}],
    ['added', 'POST', '', { ...{ id: 'x', clientDataJSON: 'x', attestationObject: 'x' }, name: 'Phone' }],
    ['asked to be shown', 'POST', '/confirm/options', undefined],
    ['shown', 'POST', '/confirm', SIGNED],
    ['renamed', 'PATCH', `/${PASSKEY_ID}`, { name: 'Phone' }],
    ['removed', 'DELETE', `/${PASSKEY_ID}`, undefined],
  ])('are %s 120 times an hour at most, of all such calls together', async (_, method, path, json) => {
    const { hits, windowMs } = RATE_LIMITS['passkeys-account'];
    expect([hits, windowMs]).toEqual([120, 60 * MINUTE]);
    await start({ RATE_LIMIT_FACTOR: 2 / hits });
    const send = async (...parts: Parameters<typeof call>) => {
      // The general limits have a window of a minute.
      gateway.clock.advance(MINUTE);
      return (await call(...parts)).status;
    };
    expect(await send(method, path, json)).toBeLessThan(300);
    expect(await send('POST', '/options', {})).toBe(200);
    expect(await send(method, path, json)).toBe(429);
  });

  it('leave nothing of what was signed, nor a password, in a log', async () => {
    await start();
    const all = async () => {
      await call('POST', '/login', SIGNED, null);
      await call('POST', '/confirm', SIGNED);
      await call('POST', '/options', { currentPassword: 'secret words' });
    };
    await all();
    for (const method of ['logInByPasskey', 'confirmByPasskey', 'beginPasskey'] as const)
      Object.assign(gateway.identity, { [method]: () => Promise.reject(new Error('broken')) });
    await all();
    expect(lines.join('')).toContain('/api/auth/passkeys/confirm');
    for (const secret of [SIGNED.clientDataJSON, SIGNED.signature, 'secret words'])
      expect(lines.join('')).not.toContain(secret);
  });
});
