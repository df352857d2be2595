import { Agent, get } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { jest } from '@jest/globals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import type { EncodedPostPage } from '../src/posts/feed-page.codec.js';
import { aPost, encodedPage } from './support/fake-clients.js';
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

describe('closing', () => {
  it('finishes what is under way, and takes nothing new', async () => {
    const gateway = await startGatewayForThisTest();
    const feed = holdFeed(gateway);
    const request = gateway.call('GET', '/api/feed');
    const answer = await feed.asked();
    const closing = gateway.close();
    answer(encodedPage({ items: [aPost()], nextCursor: '' }));
    expect((await request).status).toBe(200);
    await closing;
    await expect(gateway.call('GET', '/api/config')).rejects.toThrow();
  });

  it('asks clients to leave their connections before it closes them', async () => {
    const gateway = await startGatewayForThisTest();
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

describe('what is no HTTP', () => {
  async function raw(gateway: TestGateway, text: string): Promise<string> {
    let answer = '';
    let closed = false;
    let failure: Error | undefined;
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(text));
    onTestEnd(() => socket.destroy());
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('close', () => (closed = true));
    socket.on('error', (error) => (failure = error));
    await until(() => closed, { what: `the end of the connection that sent ${text.slice(0, 20)}` });
    if (failure) throw failure;
    return answer;
  }

  it('is answered by a problem, too', async () => {
    const gateway = await startGatewayForThisTest();
    const nonsense = await raw(gateway, 'HELLO\r\n\r\n');
    expect(nonsense).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json.*"code":"bad-request"/s);
    const large = await raw(gateway, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1.1 431 .*"code":"headers-too-large"/s);
  });
});
