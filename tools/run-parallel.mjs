import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * Runs tasks in parallel, in the given order and as many at once as there are processors. Shows the whole output of each
 * one when it ends; while it runs, the output is in its file `log`. A task that rejects ends all.
 *
 * @param {{ title: string, log: string, run: () => Promise<unknown> }[]} tasks
 */
export async function runParallel(tasks) {
  const waiting = [...tasks];
  const worker = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      const started = performance.now();
      await task.run();
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(`\n— ${task.title} (${seconds} s)\n${readFileSync(task.log, 'utf8').trimEnd()}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
