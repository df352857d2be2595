import { settleWrites } from './settle-writes.js';

it('wakes the relay first, then waits half a second at most', async () => {
  const calls: unknown[] = [];
  const bus = {
    settled: async (...given: unknown[]) => {
      calls.push(given);
      return false;
    },
  };
  const mark = { topic: 'topic', key: 'key', version: 1 };
  await settleWrites(bus, () => calls.push('nudge'))([mark]);
  expect(calls).toEqual(['nudge', [[mark], 500]]);
});
