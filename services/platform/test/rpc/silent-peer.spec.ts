import { Account, UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { currentContext } from '../../src/context/request-context.js';
import { createRpcClient } from '../../src/rpc/rpc-client.js';
import type { RpcTransport } from '../../src/rpc/rpc-transport.js';
import { systemClock } from '../../src/time/clock.js';
import { type Gate, gate } from '../../testing/gate.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { startSilentProxy } from '../../testing/silent-proxy.js';
import { until } from '../../testing/until.js';
import { echoService } from './echo-service.js';
import { errorOf, startEcho } from './echo-fixture.js';

const SOON = { timeMs: 100, timeoutMs: 500 };

describe('a call to a peer that falls silent and closes no connection', () => {
  let held: Gate;
  let over: boolean;

  /** A call whose handler has begun, and waits. */
  const aCall = async (budgetMs: number) => {
    held = gate('the call to go on');
    over = false;
    let begun = false;
    const served: RpcTransport = { kind: 'connect', url: '127.0.0.1:0' };
    const echo = await startEcho(served, {
      updateMe: async () => {
        currentContext()!.cancellation.onEnd(() => (over = true));
        begun = true;
        await held.opened;
        return Account.create();
      },
    });
    onTestEnd(() => echo.stop());
    const { url } = echo.service.transport as { url: string };
    const proxy = await startSilentProxy(`http://${url}`);
    onTestEnd(() => proxy.stop());
    const way: RpcTransport = { kind: 'connect', url: new URL(proxy.url).host, keepalive: SOON };
    const client = createRpcClient(echoService, way, systemClock, { budgetMs });
    onTestEnd(() => client.close());
    const ended = errorOf(() => client.updateMe(UpdateMeRequest.create()));
    await until(() => begun, { what: 'the call to begin' });
    return { echo, proxy, ended };
  };

  it('ends for the client', async () => {
    const { proxy, ended } = await aCall(600_000);
    proxy.fallSilent();
    expect(await ended).toMatchObject({ kind: 'unavailable' });
    held.open();
  });

  // The kernel asks a silent client, which no proxy can show; the deadline came with the call.
  it('ends for the server by its deadline', async () => {
    const { proxy } = await aCall(3_000);
    proxy.fallSilent();
    await until(() => over, { what: 'the end of the call for its handler' });
    held.open();
  });

  it('does not keep the server from stopping', async () => {
    const { echo, proxy } = await aCall(600_000);
    proxy.fallSilent();
    await echo.service.close();
    await until(() => over, { what: 'the end of the call for its handler' });
    held.open();
  });
});
