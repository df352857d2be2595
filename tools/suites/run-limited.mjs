import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../prepare.mjs';
import { killTree } from './process-tree.mjs';

/** How long output is awaited after the end: a grandchild that lives on may hold the pipe open. */
const LAST_OUTPUT_MS = 2_000;

/**
 * Runs a command to its end, or to its limit: then its whole process tree is killed. Its output is written to the file
 * `log` while it runs, and to the console with `live`. Rejects when `signal` aborts, after SIGTERM to the command, and when
 * the command cannot be started.
 *
 * @param {{
 *   command: string, args: string[], log: string, limitMs: number, cwd?: string,
 *   env?: Record<string, string>, live?: boolean, signal?: AbortSignal,
 * }} options
 * @returns {Promise<{ code: number | null, overLimit: boolean, seconds: number, reason: string }>} `reason` says how it
 * ended, in words for a failure
 */
export async function runLimited({ command, args, log, limitMs, cwd = root, env, live = false, signal }) {
  mkdirSync(dirname(log), { recursive: true });
  const file = createWriteStream(log, { flags: 'a' });
  const started = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const [stream, console] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    stream.pipe(file, { end: false });
    if (live) stream.pipe(console, { end: false });
  }
  let overLimit = false;
  const timer = setTimeout(() => {
    overLimit = true;
    killTree(child.pid);
  }, limitMs);
  try {
    const closed = new Promise((resolve) => child.once('close', resolve));
    const [code, by] = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (...ended) => resolve(ended));
    });
    await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
    const seconds = (performance.now() - started) / 1_000;
    const reason = overLimit
      ? `did not end within ${Math.round(limitMs / 1_000)} s`
      : `ended with ${by ? `signal ${by}` : `code ${code}`}`;
    return { code, overLimit, seconds, reason };
  } finally {
    clearTimeout(timer);
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    await new Promise((resolve) => file.end(resolve));
  }
}
