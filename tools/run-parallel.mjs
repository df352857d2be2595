import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { root } from './prepare.mjs';

/**
 * Runs commands in parallel, in the given order and as many at once as there are processors. Shows the whole output
 * of each command when it ends. A failure does not stop the others; resolves to the titles of the failed commands.
 * When `signal` aborts, it ends the running commands and rejects.
 *
 * @param {{ title: string, command: string, args: string[], cwd?: string, ended?: (code: number | null) => void }[]} tasks
 * @param {AbortSignal} [signal]
 */
export async function runParallel(tasks, signal) {
  const waiting = [...tasks];
  const failed = [];
  const worker = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      const started = Date.now();
      const { code, output } = await runOne(task, signal);
      console.log(`\n— ${task.title} (${((Date.now() - started) / 1000).toFixed(1)} s)\n${output.trimEnd()}`);
      if (code !== 0) failed.push(task.title);
      task.ended?.(code);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return failed;
}

function runOne({ command, args, cwd = root }, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, signal, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => (output += text));
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
