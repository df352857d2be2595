import { AsyncResource } from 'node:async_hooks';
import type { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';
import { type Backoff, backoffMs } from '../time/backoff.js';

export interface PollingLoopOptions {
  /** Names the work in the log, as in "purge of sessions". */
  name: string;
  /** Milliseconds from the end of one pass to the start of the next. */
  everyMs: number;
  /** One pass. `stop` aborts the signal: a long pass should check it and end early. */
  work: (stopping: AbortSignal) => Promise<void>;
  logger: Logger;
  /** Pauses after consecutive failures, instead of `everyMs`; nudges wait until the pause ends. */
  backoff?: Backoff;
  /** The log level of failures; defaults to `warn`. */
  level?: 'warn' | 'error';
  /** Whether the loop keeps the process alive; defaults to true. */
  ref?: boolean;
  /**
   * How long one pass may take; a minute unless given. Then its signal is aborted and it counts as failed, so that the loop goes on.
   */
  limitMs?: number;
  /** Shows when the last pass ended and how many failed; `/healthz` fails while a loop of it stands still. */
  registry?: Registry;
}

/**
 * Repeats work at regular intervals, and at once when nudged. Passes never overlap. Nudges during a pass cause one more
 * pass, however many there were. No pass inherits the context of the request that called `nudge` or `pass`.
 */
export class PollingLoop {
  private readonly outside = new AsyncResource('PollingLoop');
  private stopping = new AbortController();
  private started = false;
  private timer: NodeJS.Timeout | undefined;
  private busy = false;
  private running: Promise<void> | undefined;
  private nudged = false;
  private asked: { resolve(): void; reject(error: unknown): void }[] = [];
  private failures = 0;
  private resumeAt = 0;

  constructor(private readonly options: PollingLoopOptions) {}

  /** The first pass runs after `everyMs`; call `nudge` too for a pass at once. */
  start(): void {
    if (this.started) return;
    this.started = true;
    this.stopping = new AbortController();
    if (!this.busy) this.sleep(this.options.everyMs);
  }

  /** Tells the loop that there is work. Cheap; does nothing while the loop is not started. */
  nudge(): void {
    if (!this.started) return;
    this.nudged = true;
    if (performance.now() >= this.resumeAt) this.wake();
  }

  /**
   * Runs a pass that begins after this call, also during a backoff and if the loop is not started; several waiting callers
   * share one pass. Rejects if the work rejects; then the caller logs the error, not the loop.
   */
  pass(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.asked.push({ resolve, reject });
      this.wake();
    });
  }

  /** Ends the regular passes and waits for the current pass. */
  async stop(): Promise<void> {
    this.started = false;
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private wake(): void {
    if (this.busy) return;
    this.busy = true;
    clearTimeout(this.timer);
    this.outside.runInAsyncScope(() => void (this.running = this.runPasses()));
  }

  private async runPasses(): Promise<void> {
    do {
      const asked = this.asked;
      this.asked = [];
      this.nudged = false;
      try {
        await this.options.work(this.stopping.signal);
        this.failures = 0;
        this.resumeAt = 0;
        for (const { resolve } of asked) resolve();
      } catch (error) {
        this.failures += 1;
        for (const { reject } of asked) reject(error);
        if (asked.length === 0) this.logFailure(error);
      }
    } while (this.asked.length > 0 || (this.nudged && this.started && this.failures === 0));
    // Set in the same turn as the last check: a later nudge or `pass` must start a new pass.
    this.busy = false;
    this.sleep(this.failures > 0 ? this.pauseMs : this.options.everyMs);
  }

  private logFailure(err: unknown): void {
    const { logger, level = 'warn', name } = this.options;
    const about = { err, failures: this.failures, pauseMs: this.pauseMs };
    logger[level](about, `${name} failed, will be retried`);
  }

  private get pauseMs(): number {
    const { backoff, everyMs } = this.options;
    return backoff ? backoffMs(this.failures, backoff) : everyMs;
  }

  private sleep(milliseconds: number): void {
    if (!this.started) return;
    if (this.options.backoff && this.failures > 0) this.resumeAt = performance.now() + milliseconds;
    this.timer = setTimeout(() => this.wake(), milliseconds);
    if (this.options.ref === false) this.timer.unref();
  }
}
