import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { connect } from 'node:net';
import type { EncodedPostPage } from '../src/posts/feed-page.codec.js';
import { aPost, encodedPage } from './support/fake-clients.js';
import { startTestGateway } from './support/start-test-gateway.js';

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

describe('closing', () => {
  it('finishes what is under way, and takes nothing new', async () => {
    const gateway = await startTestGateway();
    let answer: (page: EncodedPostPage) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      gateway.posts.getFeed = () => {
        resolve();
        return new Promise((settle) => (answer = settle));
      };
    });
    const request = gateway.call('GET', '/api/feed');
    await asked;
    const closing = gateway.close();
    answer(encodedPage({ items: [aPost()], nextCursor: '' }));
    expect((await request).status).toBe(200);
    await closing;
    await expect(gateway.call('GET', '/api/config')).rejects.toThrow();
  });

  it('asks clients to leave their connections before it closes them', async () => {
    const gateway = await startTestGateway();
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
    const begun = Date.now();
    await gateway.close();
    expect(Date.now() - begun).toBeLessThan(5000);
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

describe('what is no HTTP', () => {
  const raw = (gateway: { url: string }, text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it('is answered by a problem, too', async () => {
    const gateway = await startTestGateway();
    const nonsense = await raw(gateway, 'HELLO\r\n\r\n');
    expect(nonsense).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json.*"code":"bad-request"/s);
    const large = await raw(gateway, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1.1 431 .*"code":"headers-too-large"/s);
    await gateway.close();
  });
});
