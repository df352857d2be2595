import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { RATE_LIMITS } from '../src/rate-limit/limits.js';
import { type CallOptions, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const TOKEN = 'subscriptions.aGVsbG8gd29ybGQgMTIzNA';
const PATH = `/unsubscribe?token=${TOKEN}`;
const INDEX = '<!doctype html><title>Pulso</title>';

let directory: string;
let gateway: TestGateway;
let lines: string[];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'pulso-unsubscribe-'));
  mkdirSync(join(directory, 'dist'));
  writeFileSync(join(directory, 'dist/index.html'), INDEX);
  writeFileSync(
    join(directory, 'dist/page-links.json'),
    JSON.stringify({ '/unsubscribe': '</a.js>; rel=modulepreload' }),
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
beforeEach(async () => {
  lines = [];
  gateway = await startTestGateway(
    { STATIC_DIR: join(directory, 'dist'), RATE_LIMIT_FACTOR: 1 },
    { write: (line) => void lines.push(line) },
  );
});
afterEach(() => gateway?.close());

const post = (options: CallOptions = {}, path = PATH) =>
  gateway.call('POST', path, { token: null, ...options });
const asked = () =>
  gateway.calls.filter(({ method }) => method === 'unsubscribe').map(({ request }) => request);
const refuse = () =>
  (gateway.identity.unsubscribe = () => Promise.reject(new DomainError('invalid-action-code', 'No')));

// Rule: MAIL-6, HTTP-34
describe('POST /unsubscribe', () => {
  it('switches off by the link alone, without a session', async () => {
    const response = await post();
    expect([response.status, await response.json()]).toEqual([200, { emails: 'subscriptions' }]);
    expect(asked()).toEqual([{ token: TOKEN }]);
  });

  // What mail programs send: RFC 8058, section 3.1.
  it.each<[string, CallOptions]>([
    [
      'the one-click form',
      {
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    [
      'the one-click form in parts',
      {
        body: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ],
    ['JSON', { json: { 'List-Unsubscribe': 'One-Click' } }],
    ['broken JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['a body of no type', { body: new Uint8Array([0, 255]), headers: { 'content-type': 'nonsense' } }],
    ['a body of 2 MB', { body: 'x'.repeat(2_000_000) }],
    ['a foreign origin', { headers: { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' } }],
  ])('takes %s', async (_, options) => {
    for (let count = 0; count < 3; count += 1) {
      const response = await post(options);
      expect([response.status, await response.json()]).toEqual([200, { emails: 'subscriptions' }]);
    }
    expect(asked()).toEqual(Array.from({ length: 3 }, () => ({ token: TOKEN })));
  });

  it('refuses a bad token', async () => {
    refuse();
    for (const query of ['', '?token=', '?token=%ff', `?token=${TOKEN}&token=${TOKEN}`, '?token[a]=b']) {
      const response = await post({}, `/unsubscribe${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      expect(await response.json()).toMatchObject({ code: 'invalid-action-code', title: 'Invalid link' });
    }
  });

  it('counts bad tokens by address, and good ones not', async () => {
    const { unsubscribe } = gateway.identity;
    const { hits } = RATE_LIMITS['unsubscribe-address'];
    for (let count = 0; count < 2 * hits; count += 1) expect((await post()).status).toBe(200);
    refuse();
    for (let count = 0; count < hits; count += 1) expect((await post()).status).toBe(400);
    expect((await post()).status).toBe(429);
    gateway.identity.unsubscribe = unsubscribe!;
    expect((await post()).status).toBe(429);
    gateway.clock.advance(10 * 60_000);
    expect((await post()).status).toBe(200);
  });
});

// Rule: MAIL-6, HTTP-34
it('GET /unsubscribe is the page, and changes nothing', async () => {
  for (const method of ['GET', 'HEAD']) {
    const response = await gateway.call(method, PATH, { token: null });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toBe(method === 'GET' ? INDEX : '');
    // The token is in the address: no request tells it.
    expect(response.headers.get('referrer-policy')).toBe('strict-origin');
  }
  const response = await gateway.call('PUT', PATH, { token: null });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  expect(asked()).toEqual([]);
});

it('no token of a link is logged', async () => {
  await post();
  refuse();
  await post();
  gateway.identity.unsubscribe = () => Promise.reject(new Error('broken'));
  await post();
  await gateway.call('GET', PATH, { token: null });
  await gateway.call('PUT', PATH, { token: null });
  expect(lines.join('')).toContain('/unsubscribe');
  expect(lines.join('')).not.toContain(TOKEN.slice(-8));
});
