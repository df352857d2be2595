import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A breakpoint may also prevent an orderly close; the data survives a SIGKILL. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * The services and the gateway as a child process that is replaced when their code has changed. A new child starts
 * only after the old one has closed, because both need the same ports.
 *
 * @typedef {object} ServicesProcessOptions
 * @property {string} script
 * @property {string[]} execArgv
 * @property {NodeJS.ProcessEnv} env
 * @property {object} startMessage sent to each new child
 * @property {(line: string) => void} log
 */
export class ServicesProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** Whether the child is ready; pending until that is known. @type {Promise<boolean>} */
  #ready = Promise.resolve(false);
  /** The queue of replacements. @type {Promise<void>} */
  #replacing = Promise.resolve();
  #asked = 0;
  #stopped = false;

  /** @param {ServicesProcessOptions} options */
  constructor(options) {
    this.options = options;
  }

  /** Resolves when the newest code is ready (true) or cannot start (false), after any restarts in between. */
  async answers() {
    for (;;) {
      const seen = this.#ready;
      const answer = await seen;
      if (seen === this.#ready) return answer;
    }
  }

  /** Replaces the child, even if it is still starting. */
  restart() {
    const asked = ++this.#asked;
    this.#replacing = this.#replacing.then(async () => {
      // Only the last of several calls restarts the child.
      if (asked === this.#asked) await this.#close();
    });
    this.#ready = this.#replacing.then(() => asked === this.#asked && !this.#stopped && this.#start());
    return this.answers();
  }

  async stop() {
    this.#stopped = true;
    await this.#close();
  }

  /** @returns {Promise<boolean>} */
  #start() {
    const { script, execArgv, env, startMessage, log } = this.options;
    const child = fork(script, { execArgv, env });
    this.#child = child;
    return new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve(false);
        // It was replaced or stopped, so its end was requested.
        if (this.#child !== child || this.#stopped) return;
        this.#ready = Promise.resolve(false);
        log(`The services ended (${signal ?? `exit code ${code}`}). They start again at the next change.`);
      });
      child.on('message', (message) => {
        if (message === 'ready') resolve(true);
        if (message === 'closed') child.kill('SIGKILL');
      });
      child.send(startMessage, (error) => {
        // The child ended before it read the message; its exit is reported above.
        if (error) resolve(false);
      });
    });
  }

  async #close() {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
    await exited;
    clearTimeout(force);
  }
}
