import { jest } from '@jest/globals';
import type { Logger } from '../logging/logger.js';
import { PeriodicJob, type PeriodicJobOptions } from './periodic-job.js';

const HOUR = 3_600_000;

describe('PeriodicJob', () => {
  const warnings: string[] = [];
  const logger = { warn: (_fields: object, text: string) => warnings.push(text) } as unknown as Logger;
  let finish: (() => void)[];
  const work = jest.fn((_stopping: AbortSignal) => new Promise<void>((resolve) => finish.push(resolve)));
  const job = (options: Partial<PeriodicJobOptions> = {}) =>
    new PeriodicJob({ name: 'purge', everyMs: HOUR, work, logger, ...options });

  beforeEach(() => {
    finish = [];
    warnings.length = 0;
    work.mockClear();
    jest.useFakeTimers();
  });
  afterEach(() => jest.useRealTimers());

  it('runs at the start and then regularly, one run at a time', async () => {
    const purge = job({ limitMs: 4 * HOUR });
    purge.start();
    expect(work).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(3 * HOUR);
    expect(work).toHaveBeenCalledTimes(1);
    finish[0]!();
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(work).toHaveBeenCalledTimes(2);
    finish[1]!();
    await purge.stop();
    await jest.advanceTimersByTimeAsync(2 * HOUR);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('runs within the time that it is asked for', async () => {
    const purge = job();
    purge.start();
    finish[0]!();
    await jest.advanceTimersByTimeAsync(1_000);
    purge.within(500);
    await jest.advanceTimersByTimeAsync(499);
    expect(work).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(2);
    finish[1]!();
    await purge.stop();
  });

  it.each([
    ['its interval', HOUR, HOUR],
    ['a minute, if its interval is shorter', 1_000, 60_000],
  ])('gives a run as long as %s', async (_, everyMs, limitMs) => {
    const purge = job({ everyMs });
    purge.start();
    await jest.advanceTimersByTimeAsync(limitMs - 1);
    expect(work.mock.calls[0]![0].aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(work.mock.calls[0]![0].aborted).toBe(true);
    expect(warnings).toEqual(['purge failed, will be retried']);
    finish[0]!();
    await purge.stop();
  });

  it('tells the current run of the stop and waits for it', async () => {
    const purge = job();
    purge.start();
    expect(work.mock.calls[0]![0].aborted).toBe(false);
    let stopped = false;
    const stopping = purge.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(1);
    expect(stopped).toBe(false);
    expect(work.mock.calls[0]![0].aborted).toBe(true);
    finish[0]!();
    await stopping;
  });

  it('continues after failures, and logs them', async () => {
    work.mockRejectedValueOnce(new Error('no database'));
    const purge = job();
    purge.start();
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(work).toHaveBeenCalledTimes(2);
    expect(warnings).toEqual(['purge failed, will be retried']);
    finish[0]!();
    await purge.stop();
  });

  it('stops without ever having started', async () => {
    await expect(job().stop()).resolves.toBeUndefined();
  });
});
