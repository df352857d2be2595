import { createHash } from 'node:crypto';
import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { TIME } from './support/fake-clients.js';
import {
  startGatewayForThisTest,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './support/start-test-gateway.js';

const AT_PROVIDER = 'https://accounts.example/auth?state=a-state&scope=openid';
const TRANSACTION = 'k1.eyJ9.bWFj';
const CALLBACK = '/api/auth/google/callback?code=a%20code&state=a-state';
const SETTINGS = { OPENID_CLIENT_ID: 'pulso' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ...SETTINGS, prepare: begins });
});
beforeEach(() => (gateway.calls.length = 0));
afterAll(() => gateway?.close());

type Services = Parameters<NonNullable<TestGatewayOptions['prepare']>>[0];

function begins({ identity }: Services): void {
  identity.beginOpenid = () => Promise.resolve({ url: AT_PROVIDER, transaction: TRANSACTION });
}

/** A gateway whose identity refuses to end a sign-in. */
const refusing = (error: Error, more: Partial<TestGatewayOptions> = {}) =>
  startGatewayForThisTest({
    ...SETTINGS,
    ...more,
    prepare(services) {
      begins(services);
      services.identity.finishOpenid = () => Promise.reject(error);
    },
  });

const get = (path: string, headers: Record<string, string> = {}, at = gateway) =>
  at.call('GET', path, { token: null, headers });
const back = (mode: string, at = gateway, path = CALLBACK) =>
  get(path, { cookie: `__Host-pulso_openid=${mode}.a-state.${TRANSACTION}` }, at);
const asked = (name: string) =>
  gateway.calls.filter(({ method }) => method === name).map(({ request }) => request);

/** The pair first, then the attributes by name. */
const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((one) => {
    const [pair, ...attributes] = one.split('; ');
    return [pair, ...attributes.sort()];
  });
const named = (response: Response, name: string) =>
  cookiesOf(response).filter(([pair]) => pair!.startsWith(`${name}=`));

// Rule: ACCT-28
describe('the way to the provider', () => {
  it('leads there, and leaves a cookie that comes back from another site, and no script reads', async () => {
    const response = await get('/api/auth/google/start?mode=popup');
    expect([response.status, response.headers.get('location')]).toEqual([302, AT_PROVIDER]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(asked('beginOpenid')).toEqual([{ redirectUri: 'https://pulso.example/api/auth/google/callback' }]);
    expect(cookiesOf(response)).toEqual([
      [
        `__Host-pulso_openid=popup.a-state.${TRANSACTION}`,
        ...['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure'],
      ],
    ]);
  });

  it('has another cookie under http, for its own paths', async () => {
    const open = await startGatewayForThisTest({
      ...SETTINGS,
      PUBLIC_URL: 'http://localhost:8080',
      prepare: begins,
    });
    expect(cookiesOf(await get('/api/auth/google/start', {}, open))).toEqual([
      [
        `pulso_openid=page.a-state.${TRANSACTION}`,
        ...['HttpOnly', 'Max-Age=600', 'Path=/api/auth/google', 'SameSite=Lax'],
      ],
    ]);
  });

  it('tells where it was begun that the provider does not answer', async () => {
    const away = await startGatewayForThisTest({
      ...SETTINGS,
      prepare({ identity }) {
        identity.beginOpenid = () => Promise.reject(unavailable());
      },
    });
    const page = await get('/api/auth/google/start', {}, away);
    expect([page.status, page.headers.get('location')]).toEqual([302, '/login?error=unavailable']);
    const popup = await get('/api/auth/google/start?mode=popup', {}, away);
    expect(await popup.text()).toContain('<html lang="en" data-error="unavailable">');
    expect([page, popup].flatMap(cookiesOf)).toEqual([]);
  });

  it.each(['cross-site', 'same-site'])('is not there by a link or frame of a %s page', async (site) => {
    const page = await get('/api/auth/google/start', { 'sec-fetch-site': site });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/login?error=permission-denied']);
    const popup = await get('/api/auth/google/start?mode=popup', { 'sec-fetch-site': site });
    expect(await popup.text()).toContain('<html lang="en" data-error="permission-denied">');
    expect([page, popup].flatMap(cookiesOf)).toEqual([]);
    expect(asked('beginOpenid')).toEqual([]);
  });

  it.each(['same-origin', 'none'])(
    'is there by our own page, and by an address that is typed: %s',
    async (site) => {
      const response = await get('/api/auth/google/start', { 'sec-fetch-site': site });
      expect(response.headers.get('location')).toBe(AT_PROVIDER);
    },
  );

  // Rule: ACCT-13
  it('counts as a login', async () => {
    const limited = await startGatewayForThisTest({ ...SETTINGS, RATE_LIMIT_FACTOR: 0.1, prepare: begins });
    const start = () => get('/api/auth/google/start', {}, limited);
    for (let time = 0; time < 3; time += 1) expect((await start()).status).toBe(302);
    expect((await start()).status).toBe(429);
    // Who has been let in at its beginning is let in at its end.
    expect((await back('page', limited)).headers.get('location')).toBe('/feed');
  });

  // Rule: ACCT-30, HTTP-29
  it('is not there without a provider, and the configuration says so', async () => {
    const alone = await startGatewayForThisTest();
    for (const path of ['/api/auth/google/start', CALLBACK])
      expect((await get(path, {}, alone)).status).toBe(404);
    const configured = async (at: TestGateway) => (await get('/api/config', {}, at)).json();
    expect(await configured(alone)).toMatchObject({ google: false, openidName: 'Google' });
    expect(await configured(gateway)).toMatchObject({ google: true, openidName: 'Google' });
    // Rule: ACCT-42
    const other = await startGatewayForThisTest({ ...SETTINGS, OPENID_NAME: 'Gym Account' });
    expect(await configured(other)).toMatchObject({ google: true, openidName: 'Gym Account' });
  });
});

// Rule: ACCT-28
describe('the way back', () => {
  const SIGNED_IN = `Expires=${new Date(TIME + 30 * 86_400_000).toUTCString()}`;

  it('in a window of its own sets the session’s cookie, and tells the page that opened it', async () => {
    const response = await back('popup');
    expect(response.status).toBe(200);
    expect(asked('finishOpenid')).toEqual([
      {
        transaction: TRANSACTION,
        callbackUrl: 'https://pulso.example/api/auth/google/callback?code=a%20code&state=a-state',
        device: { userAgent: 'node', address: '127.0.0.1' },
        language: 'en',
      },
    ]);
    expect(named(response, '__Host-pulso_refresh')).toEqual([
      [
        '__Host-pulso_refresh=refresh-token-2',
        SIGNED_IN,
        ...['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure'],
      ],
    ]);
    expect(named(response, 'pulso_member')).toHaveLength(1);
    expect(named(response, '__Host-pulso_openid')).toEqual([
      [
        '__Host-pulso_openid=',
        ...[
          'Expires=Thu, 01 Jan 1970 00:00:00 GMT',
          'HttpOnly',
          'Max-Age=0',
          'Path=/',
          'SameSite=Lax',
          'Secure',
        ],
      ],
    ]);
    const page = await response.text();
    expect(page).toContain('<html lang="en">');
    for (const secret of ['refresh-token', 'eyJ', 'a code', 'a%20code', 'a-state', 'Bearer'])
      expect(page).not.toContain(secret);
  });

  it('is a page that runs its own script alone, and loads nothing', async () => {
    const response = await back('popup');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    const page = await response.text();
    const hashOf = (tag: string) => {
      const text = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)![1]!;
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(response.headers.get('content-security-policy')).toBe(
      [
        "default-src 'none'",
        `script-src ${hashOf('script')}`,
        `style-src ${hashOf('style')}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    );
    expect(page.match(/<script|<link|<img|\son\w+=|\sstyle=/g)).toEqual(['<script']);
  });

  it('in the window of the page leads to the feed', async () => {
    const response = await back('page');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/feed']);
    expect(named(response, '__Host-pulso_refresh')).toHaveLength(1);
    expect(await response.text()).toBe('');
  });

  it.each([
    'email-already-in-use',
    'sign-in-denied',
    'user-disabled',
    'invalid-credential',
    'unavailable',
  ] as const)('that fails tells the code alone: %s', async (code) => {
    const other = await refusing(new DomainError(code, 'The text of identity'));
    const popup = await back('popup', other);
    const text = await popup.text();
    expect(text).toContain(`<html lang="en" data-error="${code}">`);
    expect(text).not.toContain('The text of identity');
    const page = await back('page', other);
    expect([page.status, page.headers.get('location')]).toEqual([302, `/login?error=${code}`]);
    for (const response of [popup, page]) {
      expect(named(response, '__Host-pulso_refresh')).toEqual([]);
      expect(named(response, '__Host-pulso_openid')).toHaveLength(1);
    }
  });

  it('tells nothing of a fault of ours', async () => {
    const other = await refusing(new Error('secret details'));
    const text = await (await back('popup', other)).text();
    expect(text).toContain('data-error="internal"');
    expect(text).not.toContain('secret details');
  });

  it.each<[string, Record<string, string>]>([
    ['no cookie', {}],
    ['another name', { cookie: `pulso_openid=popup.a-state.${TRANSACTION}` }],
    ['another mode', { cookie: `__Host-pulso_openid=frame.a-state.${TRANSACTION}` }],
    ['no state', { cookie: `__Host-pulso_openid=popup..${TRANSACTION}` }],
    ['nothing in it', { cookie: '__Host-pulso_openid=popup.a-state.' }],
    ['too much in it', { cookie: `__Host-pulso_openid=popup.a-state.${'x'.repeat(1025)}` }],
  ])('is refused where this browser has begun nothing: %s', async (_, headers) => {
    await expectRefused(await get(CALLBACK, headers));
  });

  it.each(['?code=a-code&state=another', '?code=a-code', '?code=a-code&state=', ''])(
    'to another sign-in than the last that this browser has begun is refused, and leaves that one: %j',
    async (query) => {
      await expectRefused(await back('page', gateway, `/api/auth/google/callback${query}`));
    },
  );

  /** By a page that a window of its own can close: nobody knows whether this is one. */
  async function expectRefused(response: Response): Promise<void> {
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain('<html lang="en" data-error="invalid-credential">');
    expect(page).toContain('href="/login?error=invalid-credential"');
    expect(asked('finishOpenid')).toEqual([]);
    expect(cookiesOf(response)).toEqual([]);
  }
});
