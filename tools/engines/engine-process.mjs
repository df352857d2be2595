import { spawn } from 'node:child_process';
import { afterThisProcess } from '../child-process.mjs';
import { eachLine } from '../each-line.mjs';

const STOP_TIMEOUT_MS = 20_000;
const REMEMBERED_LINES = 20;

/**
 * One engine as a child process that can be stopped, killed and restarted with the same command, so that it keeps its
 * port and data. `isReady` checks each line of its output; `start` rejects with the last lines when the engine ends
 * before.
 */
export class EngineProcess {
  #child;

  /** @param {{ name: string, command: string, args: string[], options?: object, isReady: (line: string) => boolean, startTimeoutMs?: number }} engine */
  constructor(engine) {
    this.engine = engine;
  }

  get pid() {
    return this.#child?.pid;
  }

  async start() {
    const { name, command, args, options, isReady, startTimeoutMs = 60_000 } = this.engine;
    // A separate process group: Ctrl-C reaches only the program that uses the engine, which then stops the engine.
    const child = spawn(command, args, {
      cwd: '/',
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    if (child.pid !== undefined) child.once('exit', afterThisProcess('kill -KILL "$1"', `${child.pid}`));
    const recent = [];
    await new Promise((resolve, reject) => {
      const failed = (reason) => reject(new Error(`${name} did not start: ${reason}\n${recent.join('\n')}`));
      const timer = setTimeout(() => failed(`not ready after ${startTimeoutMs} ms`), startTimeoutMs);
      child.once('error', (error) => failed(error.message));
      child.once('exit', (code, signal) => failed(`ended with ${signal ?? `exit code ${code}`}`));
      for (const stream of [child.stdout, child.stderr]) {
        eachLine(stream, (line) => {
          recent.push(line);
          if (recent.length > REMEMBERED_LINES) recent.shift();
          if (!isReady(line)) return;
          clearTimeout(timer);
          resolve();
        });
      }
    }).catch(async (error) => {
      await this.kill();
      throw error;
    });
  }

  /** Stops it in order; after 20 s with SIGKILL. */
  async stop() {
    await this.#end(this.engine.stopSignal ?? 'SIGTERM');
  }

  /** Kills it, like a crash. */
  async kill() {
    await this.#end('SIGKILL');
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  async #end(signal) {
    const child = this.#child;
    if (!child || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(force);
  }
}
