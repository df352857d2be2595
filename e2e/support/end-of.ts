import { cpus } from 'node:os';
import { aliveAmong } from './pulso-process.js';
import { waitFor } from './wait-for.js';

/** What the launchers promise on a machine that has processor time to spare. */
const END_WITHIN_MS = 5_000;
const WAIT_MS = 60_000;
/** The least idle share of the machine's processors at which the promise is tested. */
const SPARE = 0.2;

/**
 * Runs `work`, which takes `took` milliseconds. `late`: that is more than `limitMs` although the machine's processors were
 * idle for a fifth of the time. On a busier machine other processes decide how long it takes.
 */
export async function timed<T>(
  limitMs: number,
  work: () => Promise<T>,
): Promise<{ result: T; took: number; late: boolean }> {
  const began = performance.now();
  const before = processorTimes();
  const result = await work();
  const took = performance.now() - began;
  const after = processorTimes();
  const idle = (after.idle - before.idle) / (after.all - before.all);
  return { result, took, late: took > limitMs && idle > SPARE };
}

/** Waits until all `pids` have ended. Resolves to those that have not after a minute, and to whether 5 s were too few. */
export async function endOf(pids: readonly number[]): Promise<{ left: number[]; late: boolean }> {
  const { result, late } = await timed(END_WITHIN_MS, () =>
    waitFor(
      async () => aliveAmong(pids),
      (alive) => alive.length === 0,
      WAIT_MS,
    ),
  );
  return { left: result, late };
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
  };
}
