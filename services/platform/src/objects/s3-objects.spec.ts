import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '../../testing/on-test-end.js';
import { until } from '../../testing/until.js';
import { s3Location } from './s3-location.js';
import { S3Objects, type S3Options } from './s3-objects.js';

/** A server that answers as it likes. */
async function against(listener: RequestListener, options?: Partial<S3Options>): Promise<S3Objects> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestEnd(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return at((server.address() as AddressInfo).port, options);
}

const at = (port: number, options: Partial<S3Options> = {}) =>
  new S3Objects(s3Location.parse(`http://key:hush-hush@127.0.0.1:${port}/bucket`), options);

/** Of a server that hangs. */
const SOON = { silenceMs: 300 };

const calls: [string, (objects: S3Objects) => Promise<unknown>][] = [
  ['put', (objects) => objects.put('a', Buffer.from('a'))],
  ['putFile', (objects) => objects.putFile('a', fileURLToPath(import.meta.url))],
  ['putStream', (objects) => objects.putStream('a', Readable.from([Buffer.from('a')]))],
  ['putStream of parts', (objects) => objects.putStream('a', Readable.from([Buffer.alloc(9_000_000)]))],
  ['sizeOf', (objects) => objects.sizeOf('a')],
  ['read', (objects) => buffer(objects.read('a'))],
  ['remove', (objects) => objects.remove('a')],
  ['list', (objects) => objects.list('').next()],
  ['ping', (objects) => objects.ping()],
  ['createBucket', (objects) => objects.createBucket()],
];

const refused = async (work: Promise<unknown>) => {
  const error = (await work.then(
    () => new Error('it succeeded'),
    (reason: Error) => reason,
  )) as Error;
  expect(error.message).not.toContain('hush-hush');
  return `${error.name}: ${error.message}`;
};

describe.each(calls)('%s', (_name, call) => {
  it('fails where nothing listens', async () => {
    expect(await refused(call(at(1)))).toMatch(/^ObjectStoreError: .*ECONNREFUSED/);
  });

  it('fails where the server hangs', async () => {
    const objects = await against(() => undefined, SOON);
    expect(await refused(call(objects))).toMatch(/^ObjectStoreError: .*no answer within 300 ms/);
  });

  it.each([500, 503, 403])('fails where the server answers %i', async (status) => {
    const objects = await against((request, response) => {
      request.resume();
      response.writeHead(status).end();
    });
    expect(await refused(call(objects))).toMatch(/^ObjectStoreError: /);
  });
});

describe('a reading', () => {
  it('fails where the connection is cut before the last byte', async () => {
    const objects = await against((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('01234', () => response.destroy());
    });
    expect(await refused(buffer(objects.read('a')))).toMatch(/^ObjectStoreError: a could not be read: /);
  });

  it('fails where the server hangs before the last byte', async () => {
    const objects = await against((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('01234');
    }, SOON);
    const reading = buffer(objects.read('a'));
    expect(await refused(reading)).toMatch(/^ObjectStoreError: .*no answer within 300 ms/);
  });

  it('waits for a slow reader, and fails where the server hangs afterwards', async () => {
    const sent = 4_000_000;
    const objects = await against(
      (_request, response) => {
        response.writeHead(200, { 'content-length': sent + 1 });
        response.write(Buffer.alloc(sent));
      },
      { silenceMs: 1_000 },
    );
    const chunks = objects.read('a')[Symbol.asyncIterator]();
    let length = ((await chunks.next()).value as Buffer).length;
    // Longer than a server may be silent, twice.
    await new Promise((resolve) => setTimeout(resolve, 2_300));
    const rest = async () => {
      for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) length += (chunk as Buffer).length;
    };
    expect(await refused(rest())).toMatch(/no answer within 1000 ms/);
    expect(length).toBe(sent);
  });

  it('ends its connection when its reader leaves', async () => {
    let closed = false;
    const objects = await against((_request, response) => {
      response.writeHead(200, { 'content-length': '1000000000' });
      response.write(Buffer.alloc(100_000));
      response.once('close', () => (closed = true));
    });
    for await (const chunk of objects.read('a')) {
      expect((chunk as Buffer).length).toBeGreaterThan(0);
      break;
    }
    await until(() => closed, { what: 'the end of the connection' });
  });
});

describe('where all connections are taken', () => {
  it('a request waits for one, and has its own time from then on', async () => {
    const open: ServerResponse[] = [];
    const objects = await against((_request, response) => open.push(response), {
      ...{ readers: 1, connectMs: 1_500 },
    });
    const readings = [objects.read('a'), objects.read('b')].map((stream) => buffer(stream));
    await until(() => open.length === 1, { what: 'the first reading' });
    open[0]!.writeHead(200, { 'content-length': '1' }).end('a');
    await until(() => open.length === 2, { what: 'the second reading' });
    // Longer than it may wait for a connection.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    open[1]!.writeHead(200, { 'content-length': '1' }).end('b');
    expect(String(await Promise.all(readings))).toBe('a,b');
  });

  it('a request that gets none fails', async () => {
    const open: ServerResponse[] = [];
    const objects = await against((_request, response) => open.push(response), {
      ...{ readers: 1, connectMs: 1_000 },
    });
    const first = buffer(objects.read('a'));
    await until(() => open.length === 1, { what: 'the first reading' });
    expect(await refused(buffer(objects.read('b')))).toMatch(/no connection within 1000 ms/);
    open[0]!.writeHead(200, { 'content-length': '1' }).end('a');
    expect(String(await first)).toBe('a');
    // The one that has failed is not in the way of those that come.
    const third = buffer(objects.read('c'));
    await until(() => open.length === 2, { what: 'the third reading' });
    open[1]!.writeHead(200, { 'content-length': '1' }).end('c');
    expect(String(await third)).toBe('c');
  });

  it('readers hold up nothing else', async () => {
    const objects = await against(
      (request, response) => {
        if (request.method === 'HEAD') response.writeHead(200, { 'content-length': '3' }).end();
        else response.writeHead(200, { 'content-length': '10' }).write('01234');
      },
      { readers: 2 },
    );
    for (const key of ['a', 'b']) await objects.read(key)[Symbol.asyncIterator]().next();
    await objects.ping();
    expect(await objects.sizeOf('a')).toBe(3);
  });

  it.each([500, 503])(
    'answers of %i give theirs back, also with a body that nobody reads',
    async (status) => {
      let isGood = false;
      const objects = await against(
        (request, response) => {
          request.resume();
          response.writeHead(isGood ? 200 : status, { 'content-length': '100' });
          response.end(request.method === 'HEAD' ? undefined : 'x'.repeat(100));
        },
        { connections: 1, readers: 1 },
      );
      for (const key of ['a', 'b', 'c']) {
        expect(await refused(objects.remove(key))).toMatch(String(status));
        expect(await refused(buffer(objects.read(key)))).toMatch(String(status));
      }
      isGood = true;
      expect(await objects.sizeOf('a')).toBe(100);
      expect(await buffer(objects.read('a'))).toHaveLength(100);
    },
  );
});

it('a request is repeated once where the server has closed the connection that was kept', async () => {
  let requests = 0;
  const objects = await against((request, response) => {
    requests += 1;
    request.resume();
    // The second one meets a connection that ends.
    if (requests === 2) request.socket.destroy();
    else response.writeHead(200, { 'content-length': '3' }).end();
  });
  expect(await objects.sizeOf('a')).toBe(3);
  expect(await objects.sizeOf('a')).toBe(3);
  expect(requests).toBe(3);
});
