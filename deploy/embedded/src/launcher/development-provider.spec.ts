import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@pulso/platform/logging/logger';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { hasDevelopmentProvider, startDevelopmentProvider } from './development-provider.js';
import { readSettings } from './settings.js';

const CALLBACK = 'http://localhost:18080/api/auth/google/callback';
const logger = createLogger({ service: 'pulso', level: 'silent' });

// Rule: ACCT-30
describe('the provider of development', () => {
  it.each<[boolean, Record<string, string>]>([
    [true, {}],
    [true, { PUBLIC_URL: 'http://127.0.0.1:8080' }],
    [false, { OPENID_CLIENT_ID: 'pulso' }],
    [false, { NODE_ENV: 'production', PAYMENTS: 'none' }],
    [false, { PUBLIC_URL: 'https://pulso.example' }],
    [false, { PUBLIC_URL: 'http://localhost.example' }],
  ])('is there: %s, with %j', (isThere, env) => {
    expect(hasDevelopmentProvider(readSettings(env), env)).toBe(isThere);
  });

  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'pulso-provider-'));
    onTestEnd(() => rmSync(path, { recursive: true, force: true }));
  });

  async function start() {
    const provider = await startDevelopmentProvider(
      { publicUrl: 'http://localhost:18080' },
      { path },
      logger,
    );
    onTestEnd(() => provider.close());
    return provider;
  }

  it('keeps its address, by which identity knows its people, unless that is taken', async () => {
    const first = await start();
    await first.close();
    const again = await start();
    expect(again.environment.OPENID_ISSUER).toBe(first.environment.OPENID_ISSUER);
    expect(again.environment.OPENID_CLIENT_SECRET).not.toBe(first.environment.OPENID_CLIENT_SECRET);
    await again.close();
    const other = createServer();
    onTestEnd(() => new Promise((resolve) => other.close(resolve)));
    const port = Number(new URL(first.environment.OPENID_ISSUER).port);
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    expect((await start()).environment.OPENID_ISSUER).not.toBe(first.environment.OPENID_ISSUER);
  });

  /** A browser that has come to the page of a sign-in. */
  async function browse(issuer: string) {
    const cookies = new Map<string, string>();
    const get = async (address: string) => {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(new URL(address, issuer), { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [name, value] = set.split(';')[0]!.split(/=(.*)/s);
        cookies.set(name!, value!);
      }
      return response;
    };
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const asked = new URLSearchParams({
      ...{
        response_type: 'code',
        client_id: 'pulso-development',
        redirect_uri: CALLBACK,
        scope: 'openid email',
      },
      ...{ state: 'a-state', nonce: 'a-nonce', code_challenge: challenge, code_challenge_method: 'S256' },
    });
    const begin = async () => (await get(`/auth?${asked.toString()}`)).headers.get('location')!;
    /** Where a choice on the page leads to in the end. */
    const choose = async (page: string, choice: string) => {
      const chosen = await get(`${page}?${choice}`);
      return new URL((await get(chosen.headers.get('location')!)).headers.get('location')!);
    };
    return { get, begin, choose };
  }

  it('asks each time who it is, and leads back with a code or with a no', async () => {
    const { environment } = await start();
    const { get, begin, choose } = await browse(environment.OPENID_ISSUER);
    for (const choice of ['email=vera%40people.example&verified=1', 'email=new%40people.example']) {
      const page = await begin();
      const text = await (await get(page)).text();
      expect(text).toContain('Vera Castillo');
      expect(text).toContain('udo@people.example, not verified');
      const { origin, pathname, searchParams } = await choose(page, choice);
      expect(origin + pathname).toBe(CALLBACK);
      expect(searchParams.get('state')).toBe('a-state');
      expect(searchParams.get('code')).toMatch(/./);
    }
    const { searchParams } = await choose(await begin(), 'cancel=1');
    expect(searchParams.get('error')).toBe('access_denied');
    expect(searchParams.get('code')).toBeNull();
  });

  it('refuses what no browser has begun, other addresses to lead back to, and sign-ins without PKCE', async () => {
    const { environment } = await start();
    const { get } = await browse(environment.OPENID_ISSUER);
    expect((await get('/interaction/unknown?email=vera%40people.example')).status).toBe(400);
    const query = `response_type=code&client_id=pulso-development&scope=openid&state=s`;
    const elsewhere = await get(`/auth?${query}&redirect_uri=http%3A%2F%2Fevil.example%2F`);
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      400,
      'The development provider refuses this: invalid_redirect_uri.',
    ]);
    const bare = await get(`/auth?${query}&redirect_uri=${encodeURIComponent(CALLBACK)}`);
    expect(new URL(bare.headers.get('location')!).searchParams.get('error')).toBe('invalid_request');
  });

  it('refuses a path that is none, and answers the next request', async () => {
    const { environment } = await start();
    const { hostname, port } = new URL(environment.OPENID_ISSUER);
    const statusOf = async (path: string) => {
      const sent = request({ hostname, port, path }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await statusOf('//')).toBe(400);
    expect(await statusOf('/.well-known/openid-configuration')).toBe(200);
  });
});
