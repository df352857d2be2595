import { GetUserRequest, Session, SignUpRequest, User } from '@pulso/contracts/identity/v1/identity';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js';
import { rpcUrl } from '../../src/rpc/rpc-url.js';
import { systemClock } from '../../src/time/clock.js';
import { gate } from '../../testing/gate.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { startSilentProxy } from '../../testing/silent-proxy.js';
import { until } from '../../testing/until.js';
import { errorOf, startEcho, type EchoFixture } from './echo-fixture.js';
import { echoService, type EchoServiceService } from './echo-service.js';
import type { Behaviour } from './echo-service.js';

const SOON = { timeMs: 100, timeoutMs: 500 };

describe('a client of a service', () => {
  async function startAt(behaviour: Partial<Behaviour>): Promise<EchoFixture & { url: string }> {
    const echo = await startEcho({ kind: 'connect', url: '127.0.0.1:0' }, behaviour);
    onTestEnd(() => echo.stop());
    return { ...echo, url: (echo.service.transport as { url: string }).url };
  }

  function clientOf(url: string, keepalive = SOON): RpcClient<typeof EchoServiceService> {
    const client = createRpcClient(echoService, { kind: 'connect', url, keepalive }, systemClock, {
      budgetMs: 60_000,
    });
    onTestEnd(() => client.close());
    return client;
  }

  /** An address where nothing listens. */
  async function nowhere(): Promise<string> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return `127.0.0.1:${port}`;
  }

  it('gives a write to another replica if one cannot be reached', async () => {
    let written = 0;
    const { url } = await startAt({ signUp: () => ((written += 1), Session.create()) });
    const client = clientOf(rpcUrl.parse(`${await nowhere()},${url}`));
    for (let count = 0; count < 10; count += 1) await client.signUp(SignUpRequest.create());
    expect(written).toBe(10);
  });

  it('reaches a service by a name', async () => {
    const { url } = await startAt({ getUser: () => User.create({ id: 'by name' }) });
    const client = clientOf(rpcUrl.parse(`localhost:${url.split(':')[1]}`));
    const user = await until(() => client.getUser(GetUserRequest.create()).catch(() => undefined), {
      what: 'an answer',
    });
    expect(user.id).toBe('by name');
  });

  it.each([
    ['where nothing listens', nowhere],
    ['whose name nobody knows', async () => 'nohost.invalid:1'],
  ])('%s gets unavailable', async (_, address) => {
    const client = clientOf(await address());
    for (let count = 0; count < 3; count += 1)
      expect(await errorOf(() => client.signUp(SignUpRequest.create()))).toMatchObject({
        kind: 'unavailable',
      });
  });

  it('has at most 128 connections to a replica; further calls wait', async () => {
    const go = gate('the calls to be let go');
    let entered = 0;
    const { url } = await startAt({
      getUser: async () => {
        entered += 1;
        await go.opened;
        return User.create();
      },
    });
    const proxy = await startSilentProxy(`http://${url}`);
    onTestEnd(() => proxy.stop());
    const client = clientOf(new URL(proxy.url).host, { timeMs: 60_000, timeoutMs: 5_000 });
    const calls = Array.from({ length: 150 }, () => client.getUser(GetUserRequest.create()));
    await until(() => entered === 128, { what: 'the calls that have a connection' });
    go.open();
    await Promise.all(calls);
    expect(entered).toBe(150);
    expect(proxy.opened).toBe(128);
  });

  it('finds out that a peer of idle connections is gone, and is served when it is back', async () => {
    const { url } = await startAt({ signUp: () => Session.create() });
    const proxy = await startSilentProxy(`http://${url}`);
    onTestEnd(() => proxy.stop());
    const client = clientOf(new URL(proxy.url).host);
    await client.signUp(SignUpRequest.create());
    proxy.fallSilent();
    const { opened } = proxy;
    // No call is made: the client itself asks the peer, in vain.
    await until(() => errorOf(() => client.signUp(SignUpRequest.create(), { deadlineMs: 60_000 })), {
      what: 'a call that fails because the peer is gone',
    });
    proxy.comeBack();
    const served = () => client.signUp(SignUpRequest.create()).catch(() => undefined);
    await until(served, { what: 'an answer of the peer that is back' });
    expect(proxy.opened).toBeGreaterThan(opened);
  });

  it('does not use the connections again on which a call has waited in vain', async () => {
    const { url } = await startAt({ signUp: () => Session.create() });
    const proxy = await startSilentProxy(`http://${url}`);
    onTestEnd(() => proxy.stop());
    const client = clientOf(new URL(proxy.url).host, { timeMs: 60_000, timeoutMs: 5_000 });
    await client.signUp(SignUpRequest.create());
    proxy.fallSilent();
    const late = await errorOf(() => client.signUp(SignUpRequest.create(), { deadlineMs: 200 }));
    expect(late.kind).toBe('deadline-exceeded');
    proxy.comeBack();
    await client.signUp(SignUpRequest.create());
  });

  it.each([
    ['an error of a proxy', 502, 'text/plain', 'Bad Gateway', 'unavailable'],
    ['an unknown path at a proxy', 404, 'text/html', '<h1>', 'unavailable'],
    ['a page in place of a message', 200, 'text/html', '<h1>', 'internal'],
    ['a foreign error as JSON', 500, 'application/json', '{"error":true}', 'internal'],
    ['a message above 4 MiB', 200, 'application/proto', 'a'.repeat(4_194_305), 'payload-too-large'],
  ])('understands %s', async (_, status, type, body, kind) => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': type }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const client = clientOf(`127.0.0.1:${port}`);
    expect(await errorOf(() => client.signUp(SignUpRequest.create()))).toMatchObject({ kind });
  });
});
