import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { until } from '@pulso/platform/testing/until';
import type { Problem } from '../src/errors/problem.js';
import { aPost, COMMENT_ID, encodedPage, OTHER_ID, POST_ID, USER_ID } from './support/fake-clients.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const problemOf = async (response: Response) => (await response.json()) as Problem;

// Rule: HTTP-7, HTTP-16
describe('order of checks', () => {
  const huge = 'a'.repeat(2 * 1024 * 1024);
  const json = { 'content-type': 'application/json' };

  it('tells 413 and 415 before 401', async () => {
    const large = await gateway.call('POST', '/api/posts', { token: null, body: huge, headers: json });
    expect(large.status).toBe(413);
    const text = await gateway.call('POST', '/api/posts', { token: null, body: 'x' });
    expect(text.status).toBe(415);
  });

  // Rule: HTTP-1, HTTP-7
  it.each([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON;charset=UTF-8', 201],
    ['application/json; charset="Utf-8"', 201],
    ['application/json; charset=latin1', 415],
    ['application/json; CHARSET="utf-16"', 415],
    ['application/json; x=y; charset=iso-8859-1', 415],
  ])('takes JSON in UTF-8 alone: %s is %i', async (type, status) => {
    const body = JSON.stringify({ content: 'x' });
    const response = await gateway.call('POST', '/api/posts', { body, headers: { 'content-type': type } });
    expect(response.status).toBe(status);
    if (status === 415) expect((await problemOf(response)).code).toBe('unsupported-media-type');
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['GZIP', gzipSync],
    ['unknown', Buffer.from],
  ])('takes no body in the coding %s', async (coding, encode) => {
    const body = encode(Buffer.from(JSON.stringify({ content: 'x' })));
    const headers = { ...json, 'content-encoding': coding };
    const response = await gateway.call('POST', '/api/posts', { body, headers });
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
    expect((await problemOf(response)).code).toBe('unsupported-media-type');
  });

  it('does not inflate a compressed body: its limit is that of the bytes sent', async () => {
    const body = gzipSync(Buffer.alloc(40 * 1024 * 1024));
    const headers = { ...json, 'content-encoding': 'gzip' };
    expect((await gateway.call('POST', '/api/posts', { body, headers })).status).toBe(415);
  });

  it('takes a body that is said not to be encoded', async () => {
    const headers = { 'content-encoding': 'identity' };
    expect((await gateway.call('POST', '/api/posts', { json: { content: 'x' }, headers })).status).toBe(201);
  });

  it('tells 401 before 400, 400 before 404, 404 before what a service says', async () => {
    const broken = { body: '{', headers: json };
    expect((await gateway.call('POST', '/api/posts', { ...broken, token: null })).status).toBe(401);
    expect((await gateway.call('PATCH', '/api/posts/abc', { json: { content: 1 } })).status).toBe(400);
    expect((await gateway.call('GET', '/api/users/abc/posts?limit=0')).status).toBe(400);
    gateway.posts.deletePost = () => Promise.reject(new DomainError('permission-denied', ''));
    expect((await gateway.call('DELETE', '/api/posts/abc')).status).toBe(404);
    expect((await gateway.call('DELETE', `/api/posts/${POST_ID}`)).status).toBe(403);
  });
});

// Rule: HTTP-14, HTTP-17
describe('paths and methods', () => {
  it('answers an unknown API path with a problem', async () => {
    for (const path of ['/api', '/api/', '/api/nope', '/api/me/', '/api/users', '/media/x/y']) {
      const response = await gateway.call('GET', path);
      expect([path, response.status, (await problemOf(response)).code]).toEqual([path, 404, 'not-found']);
    }
  });

  // Rule: HTTP-4, HTTP-18
  it('tells a bad token before an unknown path or method', async () => {
    const bad = { token: null, headers: { authorization: 'Bearer bad' } };
    for (const path of ['/api/nope', '/api', '/api/feed/%zz', '/api/auth/login']) {
      const response = await gateway.call('GET', path, bad);
      expect([path, response.status, (await problemOf(response)).code]).toEqual([
        path,
        401,
        'user-token-expired',
      ]);
    }
    expect((await gateway.call('GET', '/api/nope', { token: null })).status).toBe(404);
    expect((await gateway.call('GET', '/nope', bad)).status).toBe(404);
  });

  it.each([
    ['PUT', '/api/feed', 'GET, HEAD'],
    ['GET', '/api/auth/login', 'POST'],
    ['POST', `/api/posts/${POST_ID}`, 'DELETE, GET, HEAD, PATCH'],
    ['PATCH', `/api/comments/${COMMENT_ID}/like`, 'DELETE, PUT'],
    ['OPTIONS', '/api/me', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/api/openapi.json', 'GET, HEAD'],
  ])('answers %s %s with 405 and Allow', async (method, path, allow) => {
    const response = await gateway.call(method, path);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect((await problemOf(response)).code).toBe('method-not-allowed');
  });

  it('takes bodyless writes with any or no Content-Type, and an empty object', async () => {
    const like = `/api/posts/${POST_ID}/like`;
    const named = [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }];
    for (const headers of named as Record<string, string>[]) {
      expect((await gateway.call('PUT', like, { headers })).status).toBe(200);
    }
    expect((await gateway.call('PUT', like, { json: {} })).status).toBe(200);
  });

  it('answers HEAD like GET without a body', async () => {
    const response = await gateway.call('HEAD', '/api/me');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('headers', () => {
  // Rule: HTTP-20
  it('marks answers as the viewer’s', async () => {
    for (const path of ['/api/feed', '/api/me', `/api/users/${USER_ID}`, `/api/posts/${POST_ID}`]) {
      const { headers } = await gateway.call('GET', path);
      expect([path, headers.get('vary'), headers.get('cache-control')]).toEqual([
        path,
        'Authorization',
        'private, no-cache',
      ]);
    }
  });

  // Rule: HTTP-23
  it('sends security headers with every answer', async () => {
    for (const path of ['/api/me', '/api/nope', '/api/docs', '/api/posts/%zz']) {
      const { headers } = await gateway.call('GET', path, { token: null });
      expect(headers.get('content-security-policy')).toContain("script-src 'self';");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('strict-transport-security')).toContain('max-age=');
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    }
  });

  // Rule: HTTP-22
  it('keeps a request id that is harmless and replaces others', async () => {
    const asked = (id: string) => gateway.call('GET', '/api/me', { headers: { 'x-request-id': id } });
    expect((await asked('trace-12345')).headers.get('x-request-id')).toBe('trace-12345');
    expect((await asked('a b"{}')).headers.get('x-request-id')).not.toBe('a b"{}');
    expect(gateway.calls.find(({ method }) => method === 'getMe')?.context?.requestId).toBe('trace-12345');
  });

  it('says that a compressed answer depends on that as well', async () => {
    gateway.posts.getFeed = () =>
      Promise.resolve(encodedPage({ items: Array.from({ length: 20 }, () => aPost()), nextCursor: '' }));
    const { headers } = await gateway.call('GET', '/api/feed', { headers: { 'accept-encoding': 'gzip' } });
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(headers.get('vary')?.toLowerCase().split(/, */).sort()).toEqual([
      'accept-encoding',
      'authorization',
    ]);
  });

  it('compresses long answers for those who ask', async () => {
    const response = await gateway.call('GET', '/api/openapi.json', { headers: { 'accept-encoding': 'br' } });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(await response.json()).toMatchObject({ openapi: '3.1.0' });
  });
});

// Rule: HTTP-20, HTTP-21
describe('ETag', () => {
  it.each([
    '/api/me',
    `/api/users/${USER_ID}`,
    '/api/users/by-username/ana-torres',
    `/api/posts/${POST_ID}`,
    `/api/posts/${POST_ID}/likes`,
    '/api/config',
    '/api/auth/password-policy',
    '/api/auth/sessions',
    '/api/auth/passkeys',
    '/api/coaches?q=a&limit=5',
    '/api/people?q=ana',
    `/api/coaches/${USER_ID}/reviews`,
    `/api/users/${USER_ID}/followers`,
    `/api/users/${USER_ID}/following`,
    '/api/me/blocks',
    '/api/avatars/A.svg',
    '/api/openapi.json',
  ])('of %s gets 304 when it is sent back', async (path) => {
    const first = await gateway.call('GET', path);
    const etag = first.headers.get('etag')!;
    expect(first.status).toBe(200);
    const again = await gateway.call('GET', path, { headers: { 'if-none-match': `"x", ${etag}` } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await gateway.call('GET', path, { headers: { 'if-none-match': '"x"' } });
    expect(other.status).toBe(200);
  });

  it('covers the viewer', async () => {
    const path = `/api/posts/${POST_ID}`;
    const etags = await Promise.all(
      [gateway.token, await gateway.tokenFor(OTHER_ID), null].map(async (token) =>
        (await gateway.call('GET', path, { token })).headers.get('etag')!,
      ),
    );
    expect(new Set(etags).size).toBe(3);
  });
});

// Rule: HTTP-19
describe('services behind', () => {
  // Rule: LIMIT-5
  it('get the token, a deadline of 5 s and a valid traceparent', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await gateway.call('GET', '/api/feed', { headers: { traceparent } });
    await gateway.call('GET', '/api/feed', { headers: { traceparent: 'nonsense' } });
    await gateway.call('GET', '/api/feed', {
      headers: { traceparent: traceparent.replace('00', '01') + '-later' },
    });
    const [first, second, third] = gateway.calls.filter(({ method }) => method === 'getFeed');
    expect(first?.context).toMatchObject({
      authorization: `Bearer ${gateway.token}`,
      caller: { userId: USER_ID },
      deadline: gateway.clock.now() + 5000,
      traceparent,
    });
    expect(second?.context?.traceparent).toBeUndefined();
    expect(third?.context?.traceparent).toBe(traceparent);
  });

  it('that are down give 503 with Retry-After', async () => {
    gateway.posts.getFeed = () => Promise.reject(unavailable());
    const response = await gateway.call('GET', '/api/feed');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await problemOf(response)).code).toBe('unavailable');
  });

  it('that are too slow give 503, too', async () => {
    gateway.posts.getFeed = () => Promise.reject(new DomainError('deadline-exceeded', ''));
    const response = await gateway.call('GET', '/api/feed');
    expect([response.status, (await problemOf(response)).code]).toEqual([503, 'unavailable']);
  });

  it('that fail unexpectedly give 500 without a word of why', async () => {
    gateway.posts.getFeed = () => Promise.reject(new TypeError('secret detail'));
    const response = await gateway.call('GET', '/api/feed');
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toEqual([500, expect.objectContaining({ code: 'internal' })]);
    expect(text).not.toContain('secret');
  });

  it('hear when a reader hangs up', async () => {
    let heard = false;
    gateway.posts.getFeed = () => {
      const { cancellation } = gateway.calls.at(-1)!.context!;
      cancellation.onEnd(() => (heard = true));
      controller.abort();
      return new Promise(() => undefined);
    };
    const controller = new AbortController();
    const request = fetch(`${gateway.url}/api/feed`, {
      headers: { authorization: `Bearer ${gateway.token}` },
      signal: controller.signal,
    });
    await expect(request).rejects.toThrow();
    await until(() => heard, { what: 'the service to hear that its caller has gone' });
  });
});

// Rule: HTTP-13
describe('Idempotency-Key', () => {
  const publish = (json: unknown, key = 'key-1') =>
    gateway.call('POST', '/api/posts', { json, headers: { 'idempotency-key': key } });
  const sent = () =>
    gateway.calls.filter(({ method }) => method === 'publishPost').map(({ request }) => request);

  it('goes down with method and path, and the same hash for the same body', async () => {
    await publish({ content: 'a', visibility: 'public' });
    await publish({ visibility: 'public', content: ' a ' });
    await publish({ content: 'b' });
    const [first, second, third] = sent() as {
      idempotency: { key: string; scope: string; bodyHash: string };
    }[];
    expect(first!.idempotency).toMatchObject({ key: 'key-1', scope: 'POST /api/posts' });
    expect(first!.idempotency.bodyHash).toMatch(/^[0-9a-f]{64}$/);
    expect(second!.idempotency).toEqual(first!.idempotency);
    expect(third!.idempotency.bodyHash).not.toBe(first!.idempotency.bodyHash);
  });

  it('is bound to the post that is commented on', async () => {
    const path = `/api/posts/${POST_ID}/comments`;
    await gateway.call('POST', path, { json: { content: 'a' }, headers: { 'idempotency-key': 'key-1' } });
    expect(gateway.calls.at(-1)?.request).toMatchObject({ idempotency: { scope: `POST ${path}` } });
  });
});

describe('logs', () => {
  it('tell each answer by its route, and an unexpected error with its stack, never a token', async () => {
    const lines: string[] = [];
    const logged = await startGatewayForThisTest({}, { write: (line) => lines.push(line) });
    logged.posts.getFeed = () => Promise.reject(new TypeError('secret detail'));
    await logged.call('GET', '/api/feed?cursor=abc', { headers: { 'x-request-id': 'request-1' } });
    await logged.call('GET', `/api/users/${USER_ID}`);
    const token = logged.token;
    await logged.close();
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({
        requestId: 'request-1',
        err: expect.objectContaining({ message: 'secret detail', stack: expect.any(String) }),
      }),
    ]);
    const answered = entries.filter(({ msg }) => msg === 'answered');
    expect(answered).toEqual([
      expect.objectContaining({ requestId: 'request-1', method: 'GET', route: '/api/feed', status: 500 }),
      expect.objectContaining({ route: '/api/users/:id', status: 200 }),
    ]);
    expect(lines.join('')).not.toContain(token.slice(-20));
    expect(lines.join('')).not.toContain('cursor=abc');
  });
});
