import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { eachLine } from '../each-line.mjs';

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 25;
const RESTART_PAUSES_MS = [100, 500, 1_000, 3_000];
/** A process that lived this long failed for a new reason: it is started again after the shortest pause. */
const SETTLED_MS = 10_000;
const KEPT_LINES = 200;

/**
 * One process of the cluster profile. Once it has been ready it is started again whenever it ends by itself, as
 * Kubernetes would; one that ends before has a reason that stays.
 *
 * @typedef {object} ProcessOptions
 * @property {string} name for messages, as `posts-2`
 * @property {string} script path of the built main.js
 * @property {Record<string, string>} env all that it is to read
 * @property {number} operationsPort where it tells that it is ready
 * @property {(line: string) => void} [onLine] gets what it prints, and what became of it; from its first readiness on
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

  /** Of the child that runs now. @returns {number} */
  get pid() {
    return this.#child?.pid ?? 0;
  }

  get operationsUrl() {
    return `http://127.0.0.1:${this.options.operationsPort}`;
  }

  /** What it has printed last. @returns {string} */
  get output() {
    return this.#lines.join('\n');
  }

  /** Resolves when it is ready; rejects, with what it said to its end, when it ends before. */
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
      // One line is what it refuses to start with; anything else needs all that it said.
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

  /** Resolves when /readyz says so, also after a restart. @param {AbortSignal} [signal] */
  async untilReady(signal) {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!signal?.aborted) {
      const answer = await fetch(`${this.operationsUrl}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
      if (Date.now() > deadline) throw new Error(`${this.name} was not ready within 60 s:\n${this.output}`);
      await delay(READY_POLL_MS);
    }
  }

  /** SIGTERM. @returns {Promise<number | null>} the exit code; null where a signal ended it */
  stop() {
    this.#wanted = false;
    return this.#end('SIGTERM');
  }

  /** SIGKILL; it is started again like after any crash. */
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
    const { script, env } = this.options;
    // A group of its own: Ctrl-C is the launcher's to pass on. The channel ends the child when the launcher dies.
    const child = spawn(process.execPath, ['--enable-source-maps', script], {
      env: { PATH: process.env.PATH, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#startedAt = Date.now();
    for (const stream of [child.stdout, child.stderr]) eachLine(stream, (line) => this.#tell(line));
    child.once('exit', (code, signal) => this.#ended(signal ?? `exit code ${code}`));
    return child;
  }

  /** @param {string} how */
  #ended(how) {
    if (!this.#wanted || !this.#served) return;
    this.#failures = Date.now() - this.#startedAt > SETTLED_MS ? 0 : this.#failures + 1;
    const pause = RESTART_PAUSES_MS[Math.min(this.#failures, RESTART_PAUSES_MS.length - 1)];
    this.#tell(`${this.name} ended with ${how} and is started again`);
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
