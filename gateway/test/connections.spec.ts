import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Socket, connect } from 'node:net';
import { gate } from '@pulso/platform/testing/gate';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { aPost, encodedPage } from './support/fake-clients.js';
import {
  startGatewayForThisTest,
  type TestGateway,
  type TestGatewayOptions,
} from './support/start-test-gateway.js';

const MANY = 1_000;
/** Of a feed that fits into the buffers of both ends, and of one that does not. */
const FITS = 100_000;
const IS_TOO_MUCH = 10_000_000;

let gateway: TestGateway;
/** The gateway's ends of all connections of a test. */
let ends: Socket[];

/** Those of them that the gateway has reset: a client cannot always tell this from a plain end. */
let resets: Socket[];

const accepted = (message: unknown) => {
  const { socket } = message as { socket: Socket };
  ends.push(socket);
  const reset = socket.resetAndDestroy.bind(socket);
  socket.resetAndDestroy = () => {
    resets.push(socket);
    return reset();
  };
};
beforeEach(() => {
  ends = [];
  resets = [];
  subscribe('net.server.socket', accepted);
});
afterEach(() => void unsubscribe('net.server.socket', accepted));

async function start(options: TestGatewayOptions, feedBytes = FITS): Promise<void> {
  gateway = await startGatewayForThisTest(options);
  const items = [aPost({ content: 'x'.repeat(feedBytes) })];
  gateway.posts.getFeed = async () => encodedPage({ items, nextCursor: '' });
}

interface Client {
  socket: Socket;
  /** All that has come so far. */
  answer(): string;
  /** How the gateway has ended the connection. */
  end(): string | undefined;
  ask(path: string, ...headers: string[]): void;
}

/** A client that reads nothing with `deaf`, until `resume` of its socket. */
async function client({ deaf = false } = {}): Promise<Client> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  onTestEnd(() => socket.destroy());
  let answer = '';
  let end: string | undefined;
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.on('error', (error: NodeJS.ErrnoException) => (end ??= error.code));
  socket.on('end', () => (end ??= 'end'));
  if (deaf) socket.pause();
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  const ask = (path: string, ...headers: string[]) => {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${gateway.token}`, ...headers];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  };
  return { socket, answer: () => answer, end: () => end, ask };
}

const answered = (one: Client) => until(() => one.answer().includes('\r\n\r\n'), { what: 'an answer' });
const ended = (one: Client) => until(() => one.end(), { what: 'the end of a connection' });

const feedAsked = () =>
  until(() => gateway.calls.some(({ method }) => method === 'getFeed'), { what: 'the request for a feed' });
/** Which connections of the test, in their order, the gateway has reset. */
const resetOnes = () => resets.map((socket) => ends.indexOf(socket));
const allEnded = () =>
  until(() => ends.every(({ destroyed }) => destroyed), { what: 'the end at the gateway' });

// Rule: LIMIT-12
describe('the connections of an address', () => {
  it('are bounded: a new one takes the place of the longest idle one', async () => {
    await start({ connections: { perAddress: 2 } });
    const idle = [await client(), await client()];
    for (const one of idle) {
      one.ask('/api/config');
      await answered(one);
    }
    const added = await client();
    added.ask('/api/config');
    await answered(added);
    await ended(idle[0]!);
    expect([idle[1]!.end(), added.end()]).toEqual([undefined, undefined]);
  });

  it('are refused when all have requests under way', async () => {
    await start({ connections: { perAddress: 2 } });
    const feeds = gate('the feed');
    let asked = 0;
    gateway.posts.getFeed = async () => {
      asked += 1;
      await feeds.opened;
      return encodedPage({ items: [], nextCursor: '' });
    };
    const busy = [await client(), await client()];
    for (const one of busy) one.ask('/api/feed');
    await until(() => asked === 2, { what: 'both at the service' });
    const refused = await client();
    await ended(refused);
    expect([refused.answer(), ...ends.map(({ destroyed }) => destroyed)]).toEqual(['', false, false, true]);
    feeds.open();
    for (const one of busy) await answered(one);
    expect((await gateway.call('GET', '/api/config')).status).toBe(200);
  });

  it('end with an answer that a limit refuses', async () => {
    // A request of an address.
    await start({ RATE_LIMIT_FACTOR: 0.0001, connections: { perAddress: MANY } });
    const one = await client();
    one.ask('/api/config');
    await answered(one);
    one.ask('/api/config');
    await ended(one);
    expect([one.end(), one.answer()]).toEqual([
      'end',
      expect.stringMatching(/HTTP\/1.1 429 .*connection: close/is),
    ]);
  });
});

// Rule: LIMIT-12
it('an answer that a limit refuses does not end a connection on which a body is on its way', async () => {
  await start({ RATE_LIMIT_FACTOR: 0.0001, connections: { perAddress: MANY } });
  await gateway.call('GET', '/api/config');
  const one = await client();
  one.socket.write('POST /api/posts HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
  await answered(one);
  expect(one.answer()).toMatch(/HTTP\/1.1 429 .*connection: keep-alive/is);
});

// Rule: LIMIT-12
it('answers ask clients to leave while most connections are taken', async () => {
  await start({ connections: { all: 1 } });
  expect((await gateway.call('GET', '/api/config')).headers.get('connection')).toBe('close');
  await start({ connections: { all: 100 } });
  expect((await gateway.call('GET', '/api/config')).headers.get('connection')).toBe('keep-alive');
});

// Rule: LIMIT-11
describe('what nobody reads', () => {
  it('is dropped when the connection is idle and ends', async () => {
    await start({ connections: { perAddress: 1 } });
    const deaf = await client({ deaf: true });
    deaf.ask('/api/feed');
    await feedAsked();
    // The whole answer is in the kernel when a new connection takes this one's place.
    const again = async () => {
      const other = await client();
      other.ask('/api/config');
      await until(() => other.answer() !== '' || other.end(), { what: 'an answer or a refusal' });
      return other.answer() !== '';
    };
    await until(again, { what: 'a place for another client' });
    expect(resetOnes()).toContain(0);
  });

  it('is dropped some time after the last answer of a connection', async () => {
    await start({ connections: { lingerMs: 50 } });
    const deaf = await client({ deaf: true });
    deaf.ask('/api/feed', 'Connection: close');
    await feedAsked();
    await allEnded();
    expect(resetOnes()).toEqual([0]);
  });

  it('does not include the last answer of a connection that is read', async () => {
    await start({ unread: { unreadMs: 30_000 } });
    const one = await client({ deaf: true });
    one.ask('/api/feed', 'Connection: close');
    await feedAsked();
    await until(() => ends[0]!.timeout === 0, { what: 'the time of a connection that is about to end' });
    one.socket.resume();
    await ended(one);
    expect([one.end(), one.answer()]).toEqual(['end', expect.stringContaining('x'.repeat(FITS))]);
    await allEnded();
  });

  it.each<[string, TestGatewayOptions['unread']]>([
    ['nothing', { unreadMs: 500 }],
    ['too little', { unreadMs: 60_000, pace: { ms: 50, bytes: 2 * IS_TOO_MUCH } }],
  ])('is dropped where %s is read of a long answer', async (_what, unread) => {
    await start({ unread }, IS_TOO_MUCH);
    const deaf = await client({ deaf: true });
    deaf.ask('/api/feed');
    await feedAsked();
    await allEnded();
    expect(resetOnes()).toEqual([0]);
  });

  // Rule: LIMIT-13
  it.each(['address', 'all'] as const)('is bounded in bytes: %s', async (which) => {
    const bytes = { address: MANY * IS_TOO_MUCH, all: MANY * IS_TOO_MUCH, small: 10_000 };
    await start(
      { unread: { unreadMs: 60_000, bytes: { ...bytes, [which]: 1.5 * IS_TOO_MUCH } } },
      IS_TOO_MUCH,
    );
    const deaf = await client({ deaf: true });
    deaf.ask('/api/feed');
    await feedAsked();
    const feed = async () => {
      const answer = await gateway.call('GET', '/api/feed');
      return { status: answer.status, after: answer.headers.get('retry-after'), text: await answer.text() };
    };
    const refusal = await until(async () => [await feed()].find(({ status }) => status === 503), {
      what: 'a refusal',
    });
    expect([refusal.after, JSON.parse(refusal.text)]).toEqual([
      '1',
      expect.objectContaining({ code: 'unavailable' }),
    ]);
    expect((await gateway.call('GET', '/api/config')).status).toBe(200);
    deaf.socket.destroy();
    await until(async () => (await feed()).status === 200, { what: 'room after the reader has left' });
  });
});
