import { jest } from '@jest/globals';
import { rpcContracts } from '@pulso/contracts/rpc';
import type { EventRecord, OperableBus } from '@pulso/platform/events/event-bus';
import { republicationOf } from '@pulso/platform/events/republish';
import { timeOfId } from '@pulso/platform/ids/uuid-v7';
import { runServiceCommands } from '@pulso/platform/service/service-commands';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { TestService } from '@pulso/platform/testing/test-service';
import { identity } from '../src/service.js';

let service: TestService<(typeof rpcContracts.identity)['definition']>;
beforeAll(async () => (service = await TestService.start(identity, rpcContracts.identity)));
afterAll(() => service?.stop());

/** Runs `republish user` on a machine whose clock is `ahead` seconds ahead; returns what it prints and publishes. */
async function republish(ahead: number) {
  const now = Date.now;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead * 1_000);
  const [printed, refused] = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockReturnValue(true),
  );
  onTestEnd(() => [clock, printed, refused].forEach((spy) => spy!.mockRestore()));
  const published: EventRecord[] = [];
  const bus: OperableBus = {
    publish: async (events) => void published.push(...events),
    subscribe: () => undefined,
    start: async () => undefined,
    stop: async () => undefined,
    partitions: async () => 1,
    pending: async () => 0,
    delivered: async () => true,
    deadLetters: async () => [],
    replay: async () => ({ tried: 0, failed: 0, named: [] }),
    discard: async () => false,
  };
  await runServiceCommands(identity, {
    words: ['republish', 'user'],
    openEnvironment: async () => ({ env: { ...service.env }, close: async () => undefined }),
    openBus: async () => ({ bus, assertReady: async () => undefined, close: async () => undefined }),
  });
  clock.mockRestore();
  const [out, errors] = [printed, refused].map((spy) => spy!.mock.calls.map(([text]) => String(text)));
  return { out, errors, published };
}

const storeTime = async () => {
  const [row] = await service.rows<{ time: string }>(
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS time',
  );
  return Number(row!.time);
};

it.each([-50, 50])('a republication has the store’s time on a machine %s s ahead', async (ahead) => {
  const began = await storeTime();
  const { out, published } = await republish(ahead);
  const ended = await storeTime();
  expect(out).toEqual(['identity: 0 states of user published again.\n']);
  expect(published).toHaveLength(2);
  for (const marker of published) {
    const time = timeOfId(republicationOf(marker)!);
    expect(time).toBeGreaterThanOrEqual(began);
    expect(time).toBeLessThanOrEqual(ended);
  }
});

it.each([
  ['2 h behind', -7_200, '7200 s behind the store'],
  ['a day ahead', 86_400, '86400 s ahead of the store'],
])('a machine whose clock is %s republishes nothing and says why', async (_, ahead, said) => {
  const { out, errors, published } = await republish(ahead);
  expect(errors).toEqual([expect.stringContaining(said)]);
  expect([out, published]).toEqual([[], []]);
});
