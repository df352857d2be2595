import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { jest } from '@jest/globals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import type { EncodedPostPage } from '../src/posts/decode-feed-page.js';
import { aPost, encodedPage } from './support/fake-clients.js';
import { MEDIA_ID, startListener } from './support/fake-media.js';
import { startGatewayForThisTest, type TestGateway } from './support/start-test-gateway.js';

/** Status and `Connection` of the answer. */
function getWith(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(`${response.statusCode} ${response.headers.connection}`));
    }).once('error', reject);
  });
}

/** Lets requests for the feed wait; `asked` resolves when one has come, with what answers it. */
function holdFeed(gateway: TestGateway): { asked(): Promise<(page: EncodedPostPage) => void> } {
  let answer: ((page: EncodedPostPage) => void) | undefined;
  gateway.posts.getFeed = () => new Promise((settle) => (answer = settle));
  return { asked: () => until(() => answer, { what: 'the request at the service' }) };
}

/** A request of the feed that the posts service has not answered yet. */
async function aFeedUnderWay(gateway: TestGateway): Promise<{ request: Promise<Response>; answer(): void }> {
  const feed = holdFeed(gateway);
  const request = gateway.call('GET', '/api/feed');
  const settle = await feed.asked();
  return { request, answer: () => settle(encodedPage({ items: [aPost()], nextCursor: '' })) };
}

async function accepts(gateway: TestGateway): Promise<boolean> {
  const { port, hostname } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const answer = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  return answer.finally(() => socket.destroy());
}

describe('closing', () => {
  it('finishes what is under way, and takes nothing new', async () => {
    const gateway = await startGatewayForThisTest();
    const { request, answer } = await aFeedUnderWay(gateway);
    const closing = gateway.close();
    answer();
    expect((await request).status).toBe(200);
    await closing;
    await expect(gateway.call('GET', '/api/config')).rejects.toThrow();
  });

  it('ends connections without a request before those with one', async () => {
    const gateway = await startGatewayForThisTest();
    const { port, hostname } = new URL(gateway.url);
    const unused = connect(Number(port), hostname);
    onTestEnd(() => unused.destroy());
    let isClosed = false;
    unused.on('close', () => (isClosed = true));
    await once(unused, 'connect');
    const { request, answer } = await aFeedUnderWay(gateway);
    const closing = gateway.close();
    await until(() => isClosed, { what: 'the end of the connection without a request' });
    answer();
    expect((await request).status).toBe(200);
    await closing;
  });

  it('asks clients to leave their connections before it closes them', async () => {
    // Longer than a busy machine leaves this process without a turn: no client is late for the farewell.
    const gateway = await startGatewayForThisTest({ drainQuietMs: 1_000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    onTestEnd(() => agent.destroy());
    const answers: string[] = [];
    let ended = false;
    onTestEnd(() => (ended = true));
    const client = async () => {
      let answer = '';
      // A client that is asked to leave does.
      while (!ended && answer !== '200 close') {
        answer = await getWith(agent, `${gateway.url}/api/config`);
        answers.push(answer);
      }
    };
    const clients = Promise.all(Array.from({ length: 4 }, client));
    const failed = clients.then(
      () => undefined,
      (error: Error) => error,
    );
    await until(() => answers.includes('200 keep-alive'), { what: 'an answer that keeps its connection' });
    const closing = gateway.close();
    expect(await failed).toBeUndefined();
    expect(new Set(answers)).toEqual(new Set(['200 keep-alive', '200 close']));
    await closing;
  });

  it('ends the connection of an answer that had begun before, when that has come', async () => {
    let finish!: () => void;
    const media = await startListener((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' }).write('a pict');
      finish = () => void response.end('ure');
    });
    onTestEnd(() => media.close());
    const gateway = await startGatewayForThisTest({ MEDIA_BYTES_URL: media.url });
    const answer = await gateway.call('GET', `/media/${MEDIA_ID}/full?e=1&k=k1&s=mac`);
    expect(answer.headers.get('connection')).toBe('keep-alive');
    let isClosed = false;
    // The timer that ends what hangs never goes off here.
    const { setTimeout: setTimer } = globalThis;
    const timers = jest.spyOn(globalThis, 'setTimeout');
    onTestEnd(() => timers.mockRestore());
    timers.mockImplementation(((callback: () => void, milliseconds: number) =>
      setTimer(milliseconds > 2_000 ? () => undefined : callback, milliseconds)) as typeof setTimeout);
    const closing = gateway.close().then(() => (isClosed = true));
    await until(async () => !(await accepts(gateway)), { what: 'the end of the gateway’s listening' });
    finish();
    expect(await answer.text()).toBe('a picture');
    await until(() => isClosed, { what: 'the end of the gateway, all answers having come', limit: 20_000 });
    await closing;
  });

  it('waits no more than 5 s for a request that hangs', async () => {
    const gateway = await startGatewayForThisTest();
    const feed = holdFeed(gateway);
    const request = gateway.call('GET', '/api/feed').then(
      () => 'answered',
      () => 'cut off',
    );
    await feed.asked();
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    onTestEnd(() => setTimer.mockRestore());
    const closing = gateway.close();
    // The poll of ended sessions sets shorter ones.
    const lastTimer = () => setTimer.mock.calls.find(([, milliseconds]) => milliseconds! > 2_000);
    const [endAll, after] = await until(lastTimer, { what: 'the timer that ends what hangs' });
    expect(after).toBeLessThanOrEqual(5_000);
    endAll();
    await closing;
    expect(await request).toBe('cut off');
  });
});

describe('starting', () => {
  it('fails with EADDRINUSE on a taken port', async () => {
    const other = await new Promise<Server>((resolve, reject) => {
      const server = createServer();
      server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server));
    });
    onTestEnd(() => new Promise((resolve) => other.close(resolve)));
    const { port } = other.address() as AddressInfo;
    await expect(startGatewayForThisTest({ PORT: port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  // Rule: HTTP-28
  it('serves its operations on a port of their own', async () => {
    const gateway = await startGatewayForThisTest({ operationsPort: 0 });
    const operations = (path: string) => fetch(`http://127.0.0.1:${gateway.operationsPort}${path}`);
    await gateway.call('GET', '/api/feed');
    expect((await operations('/healthz')).status).toBe(200);
    expect((await operations('/readyz')).status).toBe(200);
    const counted = /pulso_http_request_duration_seconds_count\{[^}]*route="\/api\/feed"[^}]*\} 1\n/;
    const isCounted = async () => counted.test(await (await operations('/metrics')).text());
    await until(isCounted, { what: 'the one request for the feed in the metrics' });
    expect((await gateway.call('GET', '/metrics')).status).toBe(404);
  });
});
