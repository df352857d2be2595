import { jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { ManualClock } from '../../testing/manual-clock.js';
import { LoopPasses } from './loop-passes.js';

const MINUTE = 60_000;

describe('LoopPasses', () => {
  let registry: Registry;
  let clock: ManualClock;
  let passes: LoopPasses;

  beforeEach(() => {
    jest.useFakeTimers();
    registry = new Registry();
    clock = new ManualClock(1_000_000);
    passes = new LoopPasses(registry, { clock, monotonic: () => clock.now() });
  });
  afterEach(() => jest.useRealTimers());

  /** Lets time pass while the process runs. */
  const run = (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 1_000) {
      clock.advance(Math.min(left, 1_000));
      jest.advanceTimersByTime(Math.min(left, 1_000));
    }
  };
  const shown = async (name: string) =>
    [...(await registry.metrics()).matchAll(new RegExp(`^${name}{loop="(.*)"} (.*)$`, 'gm'))].map(
      ([, loop, value]) => [loop, Number(value)],
    );

  it('name the loops that have not ended a pass for their time and a minute', () => {
    const [slow] = [passes.started('slow', 5 * MINUTE), passes.started('quick', MINUTE)];
    run(2 * MINUTE);
    expect(passes.still()).toEqual([]);
    run(1);
    expect(passes.still()).toEqual(['quick']);
    run(4 * MINUTE);
    expect(passes.still()).toEqual(['slow', 'quick']);
    passes.ended(slow, MINUTE);
    expect(passes.still()).toEqual(['quick']);
    run(2 * MINUTE + 1);
    expect(passes.still()).toEqual(['slow', 'quick']);
  });

  it('name a loop no longer that goes on or was stopped', () => {
    const [ended, stopped] = [passes.started('ended', MINUTE), passes.started('stopped', MINUTE)];
    run(10 * MINUTE);
    expect(passes.still()).toEqual(['ended', 'stopped']);
    passes.ended(ended, MINUTE);
    passes.stopped(stopped);
    expect(passes.still()).toEqual([]);
  });

  it('do not count the time in which the process was suspended', () => {
    passes.started('the loop', MINUTE);
    run(MINUTE);
    for (let sleep = 0; sleep < 3; sleep += 1) {
      clock.advance(60 * MINUTE);
      expect(passes.still()).toEqual([]);
      // The timer that is due fires once.
      jest.advanceTimersByTime(5_000);
      expect(passes.still()).toEqual([]);
    }
    run(MINUTE);
    expect(passes.still()).toEqual(['the loop']);
  });

  it('show the oldest end of the loops with one name, and what failed', async () => {
    const [first, second] = [passes.started('relay', MINUTE), passes.started('relay', MINUTE)];
    clock.advance(1_000);
    passes.ended(first, MINUTE);
    expect(await shown('pulso_loop_last_pass_seconds')).toEqual([['relay', 1_000]]);
    clock.advance(1_000);
    passes.ended(second, MINUTE);
    expect(await shown('pulso_loop_last_pass_seconds')).toEqual([['relay', 1_001]]);
    expect(await shown('pulso_loop_failures_total')).toEqual([['relay', 0]]);
    passes.failed('relay');
    expect(await shown('pulso_loop_failures_total')).toEqual([['relay', 1]]);
    for (const loop of [first, second]) passes.stopped(loop);
    expect(await shown('pulso_loop_last_pass_seconds')).toEqual([]);
  });

  it('count time only while there is a loop', () => {
    const loop = passes.started('the loop', MINUTE);
    expect(jest.getTimerCount()).toBe(1);
    passes.stopped(loop);
    expect(jest.getTimerCount()).toBe(0);
    passes.started('the loop', MINUTE);
    run(2 * MINUTE + 1);
    expect(passes.still()).toEqual(['the loop']);
  });

  it('are one for each registry', () => {
    expect(LoopPasses.of(registry)).toBe(LoopPasses.of(registry));
    expect(LoopPasses.of(registry)).not.toBe(LoopPasses.of(new Registry()));
  });
});
