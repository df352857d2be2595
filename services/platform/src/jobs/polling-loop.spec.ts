import { jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';
import { LoopPasses } from './loop-passes.js';
import { PollingLoop, type PollingLoopOptions } from './polling-loop.js';

const SECOND = 1_000;

describe('PollingLoop', () => {
  let logged: unknown[];
  let passes: { finish(): void; fail(): void; stopping: AbortSignal }[];
  const logger = {
    warn: (fields: object, text: string) => logged.push(['warn', fields, text]),
    error: (fields: object, text: string) => logged.push(['error', fields, text]),
    debug: (fields: object, text: string) => logged.push(['debug', fields, text]),
  } as unknown as Logger;

  const aLoop = (options: Partial<PollingLoopOptions> = {}) =>
    new PollingLoop({
      name: 'the look',
      everyMs: SECOND,
      logger,
      work: (stopping) =>
        new Promise((resolve, reject) => {
          passes.push({ finish: resolve, fail: () => reject(new Error('away')), stopping });
        }),
      ...options,
    });
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

  beforeEach(() => {
    [logged, passes] = [[], []];
    jest.useFakeTimers();
  });
  afterEach(() => jest.useRealTimers());

  it('repeats the pass after a pause that starts at the end of the last one', async () => {
    const loop = aLoop();
    loop.start();
    loop.start();
    await pass(SECOND - 1);
    expect(passes).toHaveLength(0);
    await pass(1);
    expect(passes).toHaveLength(1);
    await pass(10 * SECOND);
    expect(passes).toHaveLength(1);
    passes[0]!.finish();
    await pass(SECOND - 1);
    expect(passes).toHaveLength(1);
    await pass(1);
    expect(passes).toHaveLength(2);
    passes[1]!.finish();
    await loop.stop();
    await pass(10 * SECOND);
    expect(passes).toHaveLength(2);
  });

  it('starts a pass at once when nudged, and one more after any number of nudges during a pass', async () => {
    const loop = aLoop();
    loop.start();
    loop.nudge();
    expect(passes).toHaveLength(1);
    for (let nudge = 0; nudge < 5; nudge += 1) loop.nudge();
    expect(passes).toHaveLength(1);
    passes[0]!.finish();
    await pass(0);
    expect(passes).toHaveLength(2);
    passes[1]!.finish();
    await pass(SECOND - 1);
    expect(passes).toHaveLength(2);
    await pass(1);
    expect(passes).toHaveLength(3);
    passes[2]!.finish();
    await loop.stop();
  });

  it('does not run a second pass beside one whose work nudges', async () => {
    let atOnce = 0;
    const counts: number[] = [];
    const loop: PollingLoop = aLoop({
      async work() {
        counts.push((atOnce += 1));
        if (counts.length < 3) loop.nudge();
        await Promise.resolve();
        atOnce -= 1;
      },
    });
    loop.start();
    loop.nudge();
    await pass(0);
    expect(counts).toEqual([1, 1, 1]);
    await loop.stop();
  });

  it('ignores nudges before its start and after its stop', async () => {
    const loop = aLoop();
    loop.nudge();
    loop.start();
    await loop.stop();
    loop.nudge();
    await pass(10 * SECOND);
    expect(passes).toEqual([]);
  });

  it('waits on stop for the current pass, aborts its signal, and drops nudges', async () => {
    const loop = aLoop();
    loop.start();
    loop.nudge();
    loop.nudge();
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await pass(SECOND);
    expect([stopped, passes[0]!.stopping.aborted]).toEqual([false, true]);
    passes[0]!.finish();
    await stopping;
    expect(passes).toHaveLength(1);
    loop.start();
    await pass(SECOND);
    expect(passes[1]!.stopping.aborted).toBe(false);
    passes[1]!.finish();
    await loop.stop();
  });

  it('logs a failure and continues with the next pass', async () => {
    const loop = aLoop();
    loop.start();
    loop.nudge();
    loop.nudge();
    passes[0]!.fail();
    await pass(SECOND - 1);
    expect(passes).toHaveLength(1);
    expect(logged).toEqual([
      ['warn', { err: new Error('away'), failures: 1, pauseMs: SECOND }, 'the look failed, will be retried'],
    ]);
    await pass(1);
    expect(passes).toHaveLength(2);
    passes[1]!.finish();
    await loop.stop();
  });

  it('backs off after failures, also when nudged, until it succeeds', async () => {
    const loop = aLoop({ backoff: { firstMs: 100, longestMs: 200 }, level: 'error' });
    loop.start();
    loop.nudge();
    for (const [index, pauseMs] of [100, 200, 200].entries()) {
      passes[index]!.fail();
      await pass(0);
      loop.nudge();
      await pass(pauseMs - 1);
      expect(passes).toHaveLength(index + 1);
      await pass(1);
      expect(passes).toHaveLength(index + 2);
      expect(logged.at(-1)).toMatchObject(['error', { failures: index + 1, pauseMs }, expect.any(String)]);
    }
    passes[3]!.finish();
    await pass(0);
    loop.nudge();
    expect(passes).toHaveLength(5);
    passes[4]!.finish();
    await loop.stop();
  });

  it('runs a pass that begins after the call of `pass`, shared by all callers', async () => {
    const loop = aLoop();
    const ended: string[] = [];
    const ask = (name: string) => loop.pass().then(() => ended.push(name));
    const first = ask('first');
    const later = [ask('second'), ask('third')];
    expect(passes).toHaveLength(1);
    passes[0]!.finish();
    await first;
    expect(ended).toEqual(['first']);
    expect(passes).toHaveLength(2);
    passes[1]!.finish();
    await Promise.all(later);
    expect(ended).toEqual(['first', 'second', 'third']);
    void ask('fourth');
    expect(passes).toHaveLength(3);
    passes[2]!.finish();
    await pass(10 * SECOND);
    expect(passes).toHaveLength(3);
  });

  it('rejects the call of `pass` with a failure, and does not log it', async () => {
    const loop = aLoop({ backoff: { firstMs: 100, longestMs: 200 } });
    const failing = loop.pass();
    passes[0]!.fail();
    await expect(failing).rejects.toThrow('away');
    const again = loop.pass();
    passes[1]!.finish();
    await again;
    expect(logged).toEqual([]);
  });

  describe('when a pass takes too long', () => {
    const tooLong = new Error('the look took longer than 500 ms');

    it('gives the pass up, and continues with later passes', async () => {
      const loop = aLoop({ limitMs: 500, backoff: { firstMs: 100, longestMs: 200 }, level: 'error' });
      loop.start();
      loop.nudge();
      await pass(499);
      expect([passes[0]!.stopping.aborted, logged]).toEqual([false, []]);
      await pass(1);
      expect(passes[0]!.stopping.aborted).toBe(true);
      expect(logged).toEqual([
        ['error', { err: tooLong, failures: 1, pauseMs: 100 }, 'the look failed, will be retried'],
      ]);
      await pass(100);
      expect(passes).toHaveLength(2);
      expect(passes[1]!.stopping.aborted).toBe(false);
      passes[1]!.finish();
      passes[0]!.finish();
      await pass(SECOND);
      expect(passes).toHaveLength(3);
      passes[2]!.finish();
      await loop.stop();
      expect(logged).toHaveLength(1);
    });

    it('has a minute unless told otherwise', async () => {
      const loop = aLoop();
      loop.start();
      loop.nudge();
      await pass(60_000 - 1);
      expect(logged).toEqual([]);
      await pass(1);
      expect(logged).toMatchObject([['warn', { err: new Error('the look took longer than 60000 ms') }, {}]]);
      await loop.stop();
    });

    it('logs at debug what the given-up pass fails with later', async () => {
      const loop = aLoop({ limitMs: 500 });
      loop.start();
      loop.nudge();
      await pass(500);
      logged = [];
      passes[0]!.fail();
      await pass(0);
      expect(logged).toEqual([
        ['debug', { err: new Error('away') }, 'the look failed after it was given up'],
      ]);
      await loop.stop();
    });

    it('rejects the call of `pass`, and then serves the next one', async () => {
      const loop = aLoop({ limitMs: 500 });
      const first = loop.pass().catch((error: unknown) => error);
      const second = loop.pass();
      await pass(500);
      expect(await first).toEqual(tooLong);
      expect(passes).toHaveLength(2);
      passes[1]!.finish();
      await second;
      expect(logged).toEqual([]);
    });

    it('waits for it on stop no longer than 3 s', async () => {
      const loop = aLoop();
      loop.start();
      loop.nudge();
      let stopped = false;
      const stopping = loop.stop().then(() => (stopped = true));
      await pass(3 * SECOND - 1);
      expect(stopped).toBe(false);
      await pass(1);
      await stopping;
      const err = new Error('the look did not end within 3000 ms of the stop');
      expect(logged).toEqual([['warn', { err, failures: 1, pauseMs: SECOND }, 'the look failed']]);
      logged = [];
      passes[0]!.fail();
      await pass(0);
      expect(logged).toMatchObject([['debug', {}, 'the look failed after it was given up']]);
    });

    it('waits on stop no longer for those that were asked for', async () => {
      const loop = aLoop();
      const asked = [loop.pass(), loop.pass()];
      const ended = Promise.allSettled(asked);
      const stopping = loop.stop();
      await pass(SECOND);
      passes[0]!.finish();
      await pass(2 * SECOND);
      await stopping;
      expect(passes).toHaveLength(2);
      expect(passes[1]!.stopping.aborted).toBe(false);
      passes[1]!.finish();
      expect(await ended).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
      expect(logged).toEqual([]);
    });
  });

  it('shows its passes in its registry while it is started', async () => {
    const registry = new Registry();
    jest.setSystemTime(1_000_000);
    const loop = aLoop({ registry });
    const shown = async () => {
      const text = await registry.metrics();
      return ['last_pass_seconds', 'failures_total'].map(
        (name) => new RegExp(`^pulso_loop_${name}{loop="the look"} (.*)$`, 'm').exec(text)?.[1],
      );
    };
    expect(await shown()).toEqual([undefined, undefined]);
    loop.start();
    expect(await shown()).toEqual(['1000', '0']);
    await pass(SECOND);
    expect(await shown()).toEqual(['1000', '0']);
    await pass(SECOND);
    passes[0]!.fail();
    await pass(0);
    expect(await shown()).toEqual(['1002', '1']);
    await pass(SECOND);
    passes[1]!.finish();
    await pass(0);
    expect(await shown()).toEqual(['1003', '1']);
    await loop.stop();
    expect(await shown()).toEqual([undefined, '1']);
  });

  it.each([
    ['its interval and limit', 1_500, undefined],
    ['its pause after a failure and its limit', 30_500, { firstMs: 30 * SECOND, longestMs: 30 * SECOND }],
  ])('promises the next pass within %s', async (_, withinMs, backoff) => {
    const registry = new Registry();
    const loop = aLoop({ registry, backoff, limitMs: 500 });
    const ended = jest.spyOn(LoopPasses.of(registry), 'ended');
    loop.start();
    loop.nudge();
    passes[0]!.fail();
    await pass(0);
    expect(ended.mock.calls).toEqual([[expect.anything(), withinMs]]);
    await loop.stop();
  });

  it('runs outside of the context that called `nudge` or `pass`', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const loop = aLoop({ work: async () => void seen.push(context.getStore()) });
    await context.run('request', async () => {
      loop.start();
      loop.nudge();
      await loop.pass();
    });
    await pass(SECOND);
    await loop.stop();
    expect(seen).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    [true, undefined],
    [true, true],
    [false, false],
  ])('keeps the process alive: %s', async (alive, ref) => {
    jest.useRealTimers();
    const loop = aLoop({ ref });
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    loop.start();
    expect(timers() - before).toBe(alive ? 1 : 0);
    await loop.stop();
  });
});
