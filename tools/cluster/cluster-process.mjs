import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterThisProcess } from '../child-process.mjs';
import { eachLine } from '../each-line.mjs';

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 25;
const RESTART_PAUSES_MS = [100, 500, 1_000, 3_000];
/** A process that ran for this long failed for a new reason, so it is restarted after the shortest pause. */
const SETTLED_MS = 10_000;
const KEPT_LINES = 200;
/** After three seconds: when the launcher has died its engines have, too, and a process may wait for them in vain. */
const END = 'for s in 1 2 3; do sleep 1; kill -0 "$1" || exit 0; done; kill -KILL "$1"';

/**
 * One process of the cluster profile. After its first readiness it is restarted whenever it ends by itself, as on
 * Kubernetes; a process that ends before would fail again in the same way.
 *
 * @typedef {object} ProcessOptions
 * @property {string} name for messages, as `posts-2`
 * @property {Record<string, string>} env all that it is to read
 * @property {string[]} [execArgv] of Node
 * @property {number} operationsPort where it reports its readiness
 * @property {(line: string) => void} [onLine] gets its output and its restarts, after its first readiness
 */
export class ClusterProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #wanted = false;
  #served = false;
  #failures = 0;
  #startedAt = 0;
  /** @type {string[]} */
  #lines = [];

  /** @param {ProcessOptions} options */
  constructor(options) {
    this.options = options;
  }

  get name() {
    return this.options.name;
  }

  /** The pid of the current child. @returns {number} */
  get pid() {
    return this.#child?.pid ?? 0;
  }

  get operationsUrl() {
    return `http://127.0.0.1:${this.options.operationsPort}`;
  }

  /** Its most recent output. @returns {string} */
  get output() {
    return this.#lines.join('\n');
  }

  /** Resolves when it is ready; when it ends before, rejects with its error output. */
  async start() {
    this.#wanted = true;
    this.#served = false;
    this.#lines = [];
    const child = this.#spawn();
    /** @type {string[]} */
    const complaint = [];
    eachLine(child.stderr, (line) => complaint.push(line));
    const failed = once(child, 'close').then(([code, signal]) => {
      const how = `${this.name} ended with ${signal ?? `exit code ${code}`} before it was ready:\n${this.output}`;
      // A single line is its reason to refuse the start; any other failure needs its whole output.
      throw new Error(code === 1 && complaint.length === 1 ? complaint[0] : how);
    });
    const given = new AbortController();
    try {
      await Promise.race([this.untilReady(given.signal), failed]);
      this.#served = true;
      for (const line of this.#lines) this.options.onLine?.(line);
    } catch (error) {
      this.#wanted = false;
      child.kill('SIGKILL');
      throw error;
    } finally {
      given.abort();
      failed.catch(() => undefined);
    }
  }

  /** Resolves when /readyz reports that it is ready, also after a restart. @param {AbortSignal} [signal] */
  async untilReady(signal) {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!signal?.aborted) {
      const answer = await fetch(`${this.operationsUrl}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
      if (Date.now() > deadline) throw new Error(`${this.name} was not ready within 60 s:\n${this.output}`);
      await delay(READY_POLL_MS);
    }
  }

  /** Sends SIGTERM. @returns {Promise<number | null>} the exit code; null when a signal ended it */
  stop() {
    this.#wanted = false;
    return this.#end('SIGTERM');
  }

  /** Sends SIGKILL; the process is restarted as after any crash. */
  async kill() {
    await this.#end('SIGKILL');
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code] = await exited;
    return /** @type {number | null} */ (code);
  }

  #spawn() {
    const { script, env, execArgv = [] } = this.options;
    // A separate process group, because the launcher handles Ctrl-C. The IPC channel ends the child when the launcher
    // dies.
    const child = spawn(process.execPath, [...execArgv, script], {
      env: { PATH: process.env.PATH, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#startedAt = Date.now();
    for (const stream of [child.stdout, child.stderr]) eachLine(stream, (line) => this.#tell(line));
    if (child.pid !== undefined) child.once('exit', afterThisProcess(END, `${child.pid}`));
    child.once('exit', (code, signal) => this.#ended(signal ?? `exit code ${code}`));
    return child;
  }

  /** @param {string} how */
  #ended(how) {
    if (!this.#wanted || !this.#served) return;
    this.#failures = Date.now() - this.#startedAt > SETTLED_MS ? 0 : this.#failures + 1;
    const pause = RESTART_PAUSES_MS[Math.min(this.#failures, RESTART_PAUSES_MS.length - 1)];
    this.#tell(`${this.name} ended with ${how} and is restarted`);
    setTimeout(() => {
      if (this.#wanted) this.#spawn();
    }, pause);
  }

  /** @param {string} line */
  #tell(line) {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    if (this.#served) this.options.onLine?.(line);
  }
}
