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

const SOON = { 'grpc.keepalive_time_ms': 100, 'grpc.keepalive_timeout_ms': 500 };

describe('a call to a peer that falls silent and closes no connection', () => {
  let held: Gate;
  let over: boolean;

  /** A call whose handler has begun, and waits. */
  const aCall = async (keepalive: { server?: typeof SOON; client?: typeof SOON }) => {
    held = gate('the call to go on');
    over = false;
    let begun = false;
    const served: RpcTransport = { kind: 'grpc', url: '127.0.0.1:0', keepalive: keepalive.server };
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
    const way: RpcTransport = { kind: 'grpc', url: new URL(proxy.url).host, keepalive: keepalive.client };
    const client = createRpcClient(echoService, way, systemClock, { budgetMs: 600_000 });
    onTestEnd(() => client.close());
    const ended = errorOf(() => client.updateMe(UpdateMeRequest.create()));
    await until(() => begun, { what: 'the call to begin' });
    return { proxy, ended };
  };

  it('ends for the client', async () => {
    const { proxy, ended } = await aCall({ client: SOON });
    proxy.fallSilent();
    expect(await ended).toMatchObject({ kind: 'unavailable' });
    held.open();
  });

  it('ends for the server, which can still be stopped', async () => {
    const { proxy } = await aCall({ server: SOON });
    proxy.fallSilent();
    await until(() => over, { what: 'the end of the call for its handler' });
    held.open();
  });
});
