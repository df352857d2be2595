import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** @typedef {{ title: string, log: string, run: () => Promise<unknown> }} Task */

/**
 * Runs tasks in parallel, in the given order. Shows the whole output of each one when it ends; while it runs, the output is
 * in its file `log`. A task that rejects ends all.
 *
 * @param {Task[]} tasks
 * @param {{ atOnce?: number, later?: Promise<Task[]> }} [options] `atOnce`: as many as there are processors, unless given;
 * `later`: tasks that follow, and cannot be begun earlier
 */
export async function runParallel(
  tasks,
  { atOnce = availableParallelism(), later = Promise.resolve([]) } = {},
) {
  const waiting = [...tasks];
  const allKnown = later.then((more) => waiting.push(...more));
  const next = async () => {
    if (waiting.length === 0) await allKnown;
    return waiting.shift();
  };
  const worker = async () => {
    for (let task = await next(); task; task = await next()) {
      const started = performance.now();
      await task.run();
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(`\n— ${task.title} (${seconds} s)\n${readFileSync(task.log, 'utf8').trimEnd()}`);
    }
  };
  await Promise.all([allKnown, ...Array.from({ length: atOnce }, worker)]);
}
