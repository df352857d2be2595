import { GetUserRequest, SignUpRequest, User, Session } from '@pulso/contracts/identity/v1/identity';
import { setTimeout as delay } from 'node:timers/promises';
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js';
import { rpcUrl } from '../../src/rpc/rpc-url.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { until } from '../../testing/until.js';
import type { RunningRpcService } from './start-rpc-service.js';
import { startEcho, type EchoFixture } from './echo-fixture.js';
import { echoService, type EchoServiceService } from './echo-service.js';

describe('a client of several replicas', () => {
  let first: EchoFixture;
  let second: EchoFixture;
  let client: RpcClient<typeof EchoServiceService>;
  const calls = { first: 0, second: 0 };

  const replica = (name: keyof typeof calls) =>
    startEcho(
      { kind: 'connect', url: '127.0.0.1:0' },
      {
        getUser: () => {
          calls[name] += 1;
          return User.create();
        },
        signUp: async () => {
          calls[name] += 1;
          // So that calls are running when the replica leaves.
          await delay(1);
          return Session.create();
        },
      },
    );

  beforeAll(async () => {
    first = await replica('first');
    second = await replica('second');
    const url = rpcUrl.parse(`${hostOf(first.service)},${hostOf(second.service)}`);
    client = createRpcClient(echoService, { kind: 'connect', url });
    await untilBothAnswer();
  });
  afterAll(async () => {
    await client?.close();
    await first?.stop();
    await second?.stop();
  });

  async function untilBothAnswer() {
    calls.first = calls.second = 0;
    const bothAnswer = async () => {
      await client.getUser(GetUserRequest.create());
      return calls.first > 0 && calls.second > 0;
    };
    await until(bothAnswer, { what: () => `answers of both replicas, not ${JSON.stringify(calls)}` });
  }

  it('calls them in turn', async () => {
    calls.first = calls.second = 0;
    for (let count = 0; count < 20; count += 1) await client.getUser(GetUserRequest.create());
    expect(calls.first + calls.second).toBe(20);
    // A connection that is made anew may shift the turns a little.
    expect(Math.min(calls.first, calls.second)).toBeGreaterThan(5);
  });

  it('loses no write when a replica leaves, and uses it again when it is back', async () => {
    const ending = { now: false };
    const writing = Promise.all(
      Array.from({ length: 8 }, async () => {
        let answered = 0;
        for (; !ending.now; answered += 1) await client.signUp(SignUpRequest.create());
        return answered;
      }),
    );
    onTestEnd(() => {
      ending.now = true;
      return writing.catch(() => undefined);
    });
    const answers = async (name: keyof typeof calls) => {
      calls[name] = 0;
      const enough = until(() => calls[name] >= 20, { what: `20 answers of the ${name} replica` });
      // A writer that fails ends the wait.
      await Promise.race([enough, writing]);
    };
    for (let round = 0; round < 5; round += 1) {
      await answers('first');
      await first.service.drain();
      await first.service.close();
      await answers('second');
      await first.restart();
    }
    ending.now = true;
    for (const answered of await writing) expect(answered).toBeGreaterThan(0);
    await untilBothAnswer();
  });
});

function hostOf({ transport }: RunningRpcService): string {
  if (transport.kind !== 'connect') throw new Error('Replicas are reached by Connect');
  return transport.url;
}
