import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestEnd } from '../../testing/on-test-end.js';
import { until } from '../../testing/until.js';
import { s3Location } from './s3-location.js';
import { S3Objects } from './s3-objects.js';

/** A server that answers as it likes, and a client that waits for it a short time. */
async function against(listener: RequestListener): Promise<S3Objects> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestEnd(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return at((server.address() as AddressInfo).port);
}

const at = (port: number) =>
  new S3Objects(s3Location.parse(`http://key:hush-hush@127.0.0.1:${port}/bucket`), { silenceMs: 300 });

const calls: [string, (objects: S3Objects) => Promise<unknown>][] = [
  ['put', (objects) => objects.put('a', Buffer.from('a'))],
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
    const objects = await against(() => undefined);
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
    });
    const reading = buffer(objects.read('a'));
    expect(await refused(reading)).toMatch(/^ObjectStoreError: .*no answer within 300 ms/);
  });

  it('waits for a slow reader', async () => {
    const whole = Buffer.alloc(4_000_000, 'x');
    const objects = await against((_request, response) => {
      response.writeHead(200, { 'content-length': String(whole.length) }).end(whole);
    });
    const stream = objects.read('a');
    const chunks = stream[Symbol.asyncIterator]();
    const first = (await chunks.next()).value as Buffer;
    // Longer than a server may be silent.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    let length = first.length;
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) length += (chunk as Buffer).length;
    expect(length).toBe(whole.length);
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
