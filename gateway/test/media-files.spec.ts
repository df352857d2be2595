import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { until } from '@pulso/platform/testing/until';
import { type FakeListener, type Handle, MEDIA_ID, refuse, startListener } from './support/fake-media.js';
import { rawConnection } from './support/raw-connection.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './support/start-test-gateway.js';

const MB = 1024 * 1024;
const FILE = Buffer.from('\xff\xd8a picture\xff\xd9', 'latin1');

let listener: FakeListener;
let gateway: TestGateway;

/** Media that does not answer. */
const silent: Handle = () => undefined;

async function start(handle: Handle, options: TestGatewayOptions = {}) {
  listener = await startListener(handle);
  gateway = await startTestGateway({ MEDIA_BYTES_URL: listener.url, ...options });
}
const stop = async () => {
  await gateway?.close();
  await listener?.close();
};

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
];

// Rule: HTTP-36, MEDIA-19
describe('a file', () => {
  afterEach(stop);

  const path = `/media/${MEDIA_ID}/full?e=1&k=k1&s=mac%2F`;
  const given = {
    'content-type': 'image/jpeg',
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=3600, immutable',
    'content-disposition': 'inline',
    etag: '"abc"',
    'x-internal': 'host-7',
  };
  const get = (headers: Record<string, string> = {}, method = 'GET', at = path) =>
    gateway.call(method, at, { token: null, headers });

  it('comes from media by the same address, with its headers and a policy that allows nothing', async () => {
    await start((_request, response) => {
      response.writeHead(200, { ...given, 'content-length': FILE.length }).end(FILE);
    });
    const response = await get({ accept: 'image/*', cookie: 'a=b', 'if-none-match': '"old"' });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(FILE);
    const { 'x-internal': _internal, ...passed } = given;
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...passed,
      'content-length': `${FILE.length}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    for (const name of ['x-internal', 'vary', 'content-encoding'])
      expect(response.headers.has(name)).toBe(false);
    const [{ url, headers }] = listener.requests as [IncomingMessage];
    expect(url).toBe(path);
    expect(headers).toMatchObject({ 'if-none-match': '"old"' });
    expect(headers).not.toHaveProperty('cookie');
  });

  it('comes in parts, unchanged, and by HEAD', async () => {
    await start((request, response) => {
      if (request.headers['if-none-match']) return void response.writeHead(304, given).end();
      if (request.headers.range === 'bytes=99-') {
        return void response.writeHead(416, { 'content-range': `bytes */${FILE.length}` }).end();
      }
      const part = request.headers.range ? FILE.subarray(0, 4) : FILE;
      response.writeHead(request.headers.range ? 206 : 200, {
        ...given,
        'content-length': part.length,
        ...(request.headers.range && { 'content-range': `bytes 0-3/${FILE.length}` }),
      });
      response.end(request.method === 'HEAD' ? undefined : part);
    });
    const part = await get({ range: 'bytes=0-3', 'if-range': '"abc"' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-3/${FILE.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(FILE.subarray(0, 4));
    expect(listener.requests[0]!.headers).toMatchObject({ range: 'bytes=0-3', 'if-range': '"abc"' });
    const same = await get({ 'if-none-match': '"abc"' });
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, '"abc"', '']);
    const head = await get({}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${FILE.length}`]);
    const beyond = await get({ range: 'bytes=99-' });
    expect(beyond.headers.get('content-range')).toBe(`bytes */${FILE.length}`);
    expect(await codeOf(beyond)).toEqual([416, 'range-not-satisfiable']);
  });

  it('that is large comes as a stream', async () => {
    const large = randomBytes(200_000);
    await start((_request, response) => {
      response.writeHead(200, { ...given, 'content-length': large.length }).end(large);
    });
    const response = await get();
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"abc"']);
    expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);
  });

  it('that is small and breaks off is refused, which nobody keeps', async () => {
    await start((_request, response) => {
      response.writeHead(200, { ...given, 'content-length': 10 });
      response.write('01234', () => response.destroy());
    });
    const response = await get();
    expect([response.headers.get('cache-control'), response.headers.get('etag')]).toEqual([
      ...['private, no-cache', null],
    ]);
    expect(await codeOf(response)).toEqual([503, 'unavailable']);
  });

  it.each([
    [403, 'permission-denied'],
    [404, 'not-found'],
  ])('is refused as media refuses it: %i, which nobody keeps', async (status, code) => {
    await start((_request, response) => refuse(response, status, { code, message: 'No' }));
    const response = await get();
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(await codeOf(response)).toEqual([status, code]);
  });

  // Rule: HTTP-17
  it.each([403, 404, 500, 503])('is refused to HEAD with the status of GET: %i', async (status) => {
    await start((request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(request.method === 'HEAD' ? undefined : '{"code":"internal"}');
    });
    expect((await get({}, 'HEAD')).status).toBe(status);
  });

  it('is asked for of known kinds only, and media is not asked for others', async () => {
    await start(silent);
    for (const at of [`/media/${MEDIA_ID}/original`, `/media/${MEDIA_ID}`, '/media/x/full', '/media']) {
      expect([at, ...(await codeOf(await get({}, 'GET', at)))]).toEqual([at, 404, 'not-found']);
    }
    expect(await codeOf(await get({}, 'POST'))).toEqual([405, 'method-not-allowed']);
    expect(listener.requests).toEqual([]);
  });

  it('ends at media when its reader leaves, and its place is free again', async () => {
    let sent = 0;
    await start(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/jpeg' });
        const more = () => {
          while (response.write(Buffer.alloc(MB))) sent += 1;
        };
        response.on('drain', more);
        more();
      },
      { mediaLimits: { files: { file: { perAddress: 1 } } } },
    );
    const leaving = new AbortController();
    const response = await fetch(gateway.url + path, { signal: leaving.signal });
    expect(response.status).toBe(200);
    const second = await get();
    expect(second.headers.get('retry-after')).toBe('1');
    expect(await codeOf(second)).toEqual([429, 'too-many-requests']);
    leaving.abort();
    await isClosed(listener.requests[0]!);
    listener.handle = (_request, response) => void response.writeHead(200, given).end(FILE);
    await until(async () => (await get()).status === 200, { what: 'a place for the next reader' });
  });

  const isClosed = (request: IncomingMessage) =>
    until(() => request.socket.destroyed, { what: 'the end of the connection at media' });

  // Rule: LIMIT-10
  it('cuts off whoever has not read it in time', async () => {
    await start(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/jpeg' }).write(FILE);
      },
      { mediaLimits: { files: { file: { longestMs: 50 } } } },
    );
    const response = await get();
    await expect(response.arrayBuffer()).rejects.toThrow();
    await isClosed(listener.requests[0]!);
  });

  // Rule: LIMIT-11
  it('of which nothing is read ends its connection, and is ended at media', async () => {
    await start(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/jpeg' });
        const more = () => {
          while (response.write(Buffer.alloc(MB)));
        };
        response.on('drain', more);
        more();
      },
      { unread: { unreadMs: 500 } },
    );
    const { socket } = await rawConnection(gateway.url, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    socket.pause();
    await until(() => listener.requests.length === 1, { what: 'the request at media' });
    await isClosed(listener.requests[0]!);
  });

  it('is asked for again by another connection when media has closed an idle one', async () => {
    let calls = 0;
    await start((request, response) => {
      calls += 1;
      if (calls === 1) return void request.socket.destroy();
      response.writeHead(200, given).end(FILE);
    });
    expect((await get()).status).toBe(200);
  });

  // Rule: LIMIT-1
  it('has a limit of its own, not that of all requests', async () => {
    // A hundredth: 12 requests of an address, and 60 files.
    await start((_request, response) => void response.writeHead(200, given).end(FILE), {
      RATE_LIMIT_FACTOR: 0.01,
    });
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1) statuses.push((await get()).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
    expect((await gateway.call('GET', '/api/config')).status).toBe(200);
  });
});
