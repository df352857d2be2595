import { jest } from '@jest/globals';
import { createLogger } from '../logging/logger.js';
import { PollingLoop, type PollingLoopOptions } from './polling-loop.js';

const SECOND = 1_000;

describe('PollingLoop.within', () => {
  let passes: { finish(): void; fail(): void }[];
  const aLoop = (options: Partial<PollingLoopOptions> = {}) =>
    new PollingLoop({
      name: 'the look',
      everyMs: SECOND,
      logger: createLogger({ service: 'test', level: 'silent' }),
      work: () =>
        new Promise((resolve, reject) => {
          passes.push({ finish: resolve, fail: () => reject(new Error('away')) });
        }),
      ...options,
    });
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

  beforeEach(() => {
    passes = [];
    jest.useFakeTimers();
  });
  afterEach(() => jest.useRealTimers());

  it('begins the next pass within the time that it is asked for, and never later than without', async () => {
    const loop = aLoop();
    loop.within(1);
    loop.start();
    await pass(500);
    loop.within(2 * SECOND);
    loop.within(100);
    loop.within(200);
    await pass(99);
    expect(passes).toHaveLength(0);
    await pass(1);
    expect(passes).toHaveLength(1);
    loop.within(300);
    await pass(400);
    expect(passes).toHaveLength(1);
    passes[0]!.finish();
    await pass(0);
    expect(passes).toHaveLength(2);
    loop.within(300);
    passes[1]!.finish();
    await pass(299);
    expect(passes).toHaveLength(2);
    await pass(1);
    expect(passes).toHaveLength(3);
    passes[2]!.finish();
    // What was asked for once does not shorten later pauses.
    await pass(SECOND - 1);
    expect(passes).toHaveLength(3);
    await pass(1);
    expect(passes).toHaveLength(4);
    passes[3]!.finish();
    await loop.stop();
    loop.within(1);
    await pass(10 * SECOND);
    expect(passes).toHaveLength(4);
  });

  it('keeps its pause after failures, whatever a shorter one was asked for', async () => {
    const loop = aLoop({ backoff: { firstMs: 500, longestMs: 500 } });
    loop.start();
    loop.nudge();
    loop.within(100);
    passes[0]!.fail();
    await pass(0);
    loop.within(100);
    await pass(499);
    expect(passes).toHaveLength(1);
    await pass(1);
    expect(passes).toHaveLength(2);
    passes[1]!.finish();
    await loop.stop();
  });
});
