import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import type { EncodedPostPage } from '../src/posts/feed-page.codec.js';
import { aPost, encodedPage } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

/** Status and `Connection` of the answer. */
function getWith(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(`${response.statusCode} ${response.headers.connection}`));
    }).once('error', reject);
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A request of the feed that the posts service has not answered yet. */
async function aFeedUnderWay(gateway: TestGateway): Promise<{ request: Promise<Response>; answer(): void }> {
  let settle: (page: EncodedPostPage) => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    gateway.posts.getFeed = () => {
      resolve();
      return new Promise((answered) => (settle = answered));
    };
  });
  const request = gateway.call('GET', '/api/feed');
  await asked;
  return { request, answer: () => settle(encodedPage({ items: [aPost()], nextCursor: '' })) };
}

describe('closing', () => {
  it('finishes what is under way, and takes nothing new', async () => {
    const gateway = await startTestGateway();
    const { request, answer } = await aFeedUnderWay(gateway);
    const closing = gateway.close();
    answer();
    expect((await request).status).toBe(200);
    await closing;
    await expect(gateway.call('GET', '/api/config')).rejects.toThrow();
  });

  it('ends connections without a request before those with one', async () => {
    const gateway = await startTestGateway();
    const { port, hostname } = new URL(gateway.url);
    const unused = connect(Number(port), hostname);
    await once(unused, 'connect');
    const { request, answer } = await aFeedUnderWay(gateway);
    const closing = gateway.close();
    await once(unused, 'close');
    answer();
    expect((await request).status).toBe(200);
    await closing;
  });

  it('asks clients to leave their connections before it closes them', async () => {
    // Longer than a busy machine leaves this process without a turn: no client is late for the farewell.
    const gateway = await startTestGateway({ drainQuietMs: 1_000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const answers: string[] = [];
    const ending = { now: false };
    const asking = Array.from({ length: 4 }, async () => {
      while (!ending.now) answers.push(await getWith(agent, `${gateway.url}/api/config`));
    });
    await until(() => answers.includes('200 keep-alive'));
    const closing = gateway.close();
    await until(() => answers.includes('200 close'));
    ending.now = true;
    await Promise.all(asking);
    expect(new Set(answers)).toEqual(new Set(['200 keep-alive', '200 close']));
    await closing;
  });

  it('does not wait for ever for a request that hangs', async () => {
    const gateway = await startTestGateway();
    const asked = new Promise<void>((resolve) => {
      gateway.posts.getFeed = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const request = expect(gateway.call('GET', '/api/feed')).rejects.toThrow();
    await asked;
    // Counted in turns of this process, so that it does not count while a busy machine gives it none.
    let tenths = 0;
    const counting = setInterval(() => (tenths += 1), 100);
    await gateway.close();
    clearInterval(counting);
    expect(tenths).toBeLessThan(50);
    await request;
  });
});

describe('starting', () => {
  it('fails with EADDRINUSE on a taken port', async () => {
    const other = await new Promise<Server>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
    });
    const { port } = other.address() as AddressInfo;
    await expect(startTestGateway({ PORT: port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await new Promise((resolve) => other.close(resolve));
  });

  // Rule: HTTP-28
  it('serves its operations on a port of their own', async () => {
    const free = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(port));
      });
    });
    const gateway = await startTestGateway({ operationsPort: free });
    const operations = (path: string) => fetch(`http://127.0.0.1:${free}${path}`);
    await gateway.call('GET', '/api/feed');
    expect((await operations('/healthz')).status).toBe(200);
    expect((await operations('/readyz')).status).toBe(200);
    expect(await (await operations('/metrics')).text()).toMatch(
      /pulso_http_request_duration_seconds_count\{[^}]*route="\/api\/feed"[^}]*\} 1/,
    );
    expect((await gateway.call('GET', '/metrics')).status).toBe(404);
    await gateway.close();
  });
});
