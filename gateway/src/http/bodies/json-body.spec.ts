import Fastify, { type FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { tokenExpired } from '@pulso/platform/errors/domain-error';
import { until } from '@pulso/platform/testing/until';
import { rawConnection } from '../../../test/support/raw-connection.js';
import { BodyMemory } from './body-memory.js';
import { acceptBodies } from './json-body.js';

const MIB = 1024 * 1024;
const LIMITS = { address: 3 * MIB, all: 8 * MIB };

let app: FastifyInstance;
let url: string;
let memory: BodyMemory;
let arrived: () => number;

/** One route of each kind of access, for bodies up to 1 MiB; `Bearer good` is the one token. */
beforeEach(async () => {
  memory = new BodyMemory(LIMITS);
  app = Fastify({ forceCloseConnections: true, bodyLimit: MIB, trustProxy: true });
  const authenticate = (authorization: string | undefined) => {
    if (authorization === undefined) return null;
    if (authorization === 'Bearer good') return { userId: 'ana' };
    throw tokenExpired();
  };
  acceptBodies(app, { authenticator: { authenticate }, memory });
  const sockets = new Set<{ bytesRead: number }>();
  app.addHook('onRequest', (request, _reply, done) => {
    sockets.add(request.socket);
    done();
  });
  arrived = () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  app.setErrorHandler((error: Error & { code?: string }, _request, reply) =>
    reply.code(400).send({ code: error.code }),
  );
  for (const access of ['private', 'public']) {
    const config = { endpoint: { access, bodyBytes: MIB } };
    app.post(`/${access}`, { config }, (request) => ({ items: (request.body as unknown[]).length }));
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(() => app?.close());

interface Sent {
  path?: string;
  token?: string;
  from?: string;
}

/** A body of 1 MiB without its last byte, and whether all of it has arrived. */
async function unfinished({ path = '/private', token, from = '203.0.113.7' }: Sent) {
  const before = arrived();
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/json',
    `Content-Length: ${MIB}`,
    ...(token === undefined ? [] : [`Authorization: ${token}`]),
  ];
  const text = `${head.join('\r\n')}\r\n\r\n[${' '.repeat(MIB - 2)}`;
  const connection = await rawConnection(url, text);
  await until(() => arrived() >= before + text.length, { what: 'all that was sent of a body' });
  return connection;
}

async function post({ path = '/private', token = 'Bearer good', from = '203.0.113.7' }: Sent, body: string) {
  const headers = { authorization: token, 'content-type': 'application/json', 'x-forwarded-for': from };
  const response = await fetch(url + path, { method: 'POST', headers, body });
  return (await response.json()) as unknown;
}

// Rule: LIMIT-8
describe('a body on its way', () => {
  it.each([undefined, 'Bearer bad'])('is not kept where it will be refused (token: %s)', async (token) => {
    await unfinished({ token });
    expect(memory.bytes).toBe(0);
    await unfinished({ token: 'Bearer good' });
    expect(memory.bytes).toBe(MIB);
  });

  it('counts until it is whole or its connection ends', async () => {
    const { socket } = await unfinished({ token: 'Bearer good' });
    const gone = await unfinished({ token: 'Bearer good' });
    expect(memory.bytes).toBe(2 * MIB);
    socket.write(']');
    await until(() => memory.bytes === MIB, { what: 'room again after a whole body' });
    gone.socket.destroy();
    await until(() => memory.bytes === 0, { what: 'room again after a connection’s end' });
  });

  it('is refused, and read to its end, beyond what its address may take', async () => {
    for (let count = 0; count < 3; count += 1) await unfinished({ path: '/public' });
    const body = JSON.stringify(['a'.repeat(1000)]);
    expect(await post({}, body)).toEqual({ code: 'too-many-requests' });
    expect(await post({ from: '203.0.113.8' }, body)).toEqual({ items: 1 });
  });

  it('counts by the /64 of an IPv6 address', async () => {
    for (const host of ['1', '2', '3']) await unfinished({ path: '/public', from: `2001:db8::${host}` });
    expect(await post({ from: '2001:db8::4' }, '["a long text"]')).toEqual({ code: 'too-many-requests' });
    expect(await post({ from: '2001:db8:0:1::4' }, '["a long text"]')).toEqual({ items: 1 });
  });

  it('is refused beyond what all may take', async () => {
    for (let count = 0; count < 8; count += 1) {
      await unfinished({ path: '/public', from: `203.0.113.${count}` });
    }
    expect(await post({ from: '203.0.113.99' }, `["${'a'.repeat(1000)}"]`)).toEqual({ code: 'unavailable' });
  });
});
