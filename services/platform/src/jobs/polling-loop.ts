import { AsyncResource } from 'node:async_hooks';
import type { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';
import { type Backoff, backoffMs } from '../time/backoff.js';
import { LoopPasses, type WatchedLoop } from './loop-passes.js';

export interface PollingLoopOptions {
  /** Names the work in the log, as in "purge of sessions". */
  name: string;
  /** Milliseconds from the end of one pass to the start of the next. */
  everyMs: number;
  /** One pass. `stop` and the limit abort the signal: a long pass should check it and end early. */
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

export const PASS_LIMIT_MS = 60_000;
/** How long a stop waits for a pass whose signal it has aborted: less than a process has for its whole stop. */
export const STOP_LIMIT_MS = 3_000;

/** A pass under way. */
interface Pass {
  stopping: AbortController;
  /** Goes on without it: the pass fails with `error`. Does nothing when it has ended. */
  giveUp(error: Error): void;
}

/**
 * Repeats work at regular intervals, at once when nudged, and sooner where `within` asks for it. Nudges during a pass cause one more pass, however many there
 * were. No pass inherits the context of the request that called `nudge` or `pass`.
 *
 * Passes do not overlap, except with those that were given up because they took longer than the limit, or than a stop
 * waits: what they wait for may still come, and their work must bear a later pass beside it. A given-up pass that checks
 * its signal ends there. If it fails later, its error is logged at debug.
 */
export class PollingLoop {
  private readonly outside = new AsyncResource('PollingLoop');
  private readonly passes: LoopPasses | undefined;
  private watched: WatchedLoop | undefined;
  private current: Pass | undefined;
  private started = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private busy = false;
  private running: Promise<void> | undefined;
  private nudged = false;
  private asked: { resolve(): void; reject(error: unknown): void }[] = [];
  private failures = 0;
  private resumeAt = 0;
  /** When the next pass begins at the latest; during a pass only what `within` has asked for. */
  private dueAt = Infinity;

  constructor(private readonly options: PollingLoopOptions) {
    this.passes = options.registry && LoopPasses.of(options.registry);
  }

  /** The first pass runs after `everyMs`, also if passes failed before a stop; call `nudge` too for a pass at once. */
  start(): void {
    if (this.started) return;
    this.started = true;
    this.stopped = false;
    // A new start does not wait for what failed before it.
    this.failures = 0;
    this.resumeAt = 0;
    this.dueAt = Infinity;
    this.watched = this.passes?.started(this.options.name, this.withinMs);
    if (!this.busy) this.sleep();
  }

  /** Tells the loop that there is work. Cheap; does nothing while the loop is not started. */
  nudge(): void {
    if (!this.started) return;
    this.nudged = true;
    if (performance.now() >= this.resumeAt) this.wake();
  }

  /**
   * The next pass begins in at most `ms`, if none is under way: then the one after it. For work that knows when there is
   * more to do, or that may wait for a moment. Cheap; does nothing while the loop is not started. A pause after failures
   * with `backoff` stays as it is.
   */
  within(ms: number): void {
    const now = performance.now();
    if (!this.started || now + ms >= this.dueAt) return;
    this.dueAt = now + ms;
    if (!this.busy && now >= this.resumeAt) this.sleep();
  }

  /**
   * Runs a pass that begins after this call, also during a backoff and if the loop is not started; several waiting callers
   * share one pass. Rejects if the work rejects or takes too long; then the caller logs the error, not the loop.
   */
  pass(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.asked.push({ resolve, reject });
      this.wake();
    });
  }

  /**
   * Ends the regular passes, aborts the current one and waits for it, 3 s at most: then it is given up. A pass that was asked
   * for and begins later runs as ever.
   */
  async stop(): Promise<void> {
    this.started = false;
    this.stopped = true;
    if (this.watched) this.passes?.stopped(this.watched);
    this.watched = undefined;
    clearTimeout(this.timer);
    const { current, running } = this;
    if (!current) return running;
    current.stopping.abort();
    let limit: NodeJS.Timeout | undefined;
    const limitReached = new Promise<void>((resolve) => {
      limit = setTimeout(() => {
        current.giveUp(new Error(`${this.options.name} did not end within ${STOP_LIMIT_MS} ms of the stop`));
        resolve();
      }, STOP_LIMIT_MS);
    });
    await Promise.race([running, limitReached]);
    clearTimeout(limit);
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
      this.dueAt = Infinity;
      try {
        await this.runPass();
        this.failures = 0;
        this.resumeAt = 0;
        for (const { resolve } of asked) resolve();
      } catch (error) {
        this.failures += 1;
        this.passes?.failed(this.options.name);
        for (const { reject } of asked) reject(error);
        if (asked.length === 0) this.logFailure(error);
      }
      if (this.watched) this.passes?.ended(this.watched, this.withinMs);
    } while (this.asked.length > 0 || (this.nudged && this.started && this.failures === 0));
    // Set in the same turn as the last check: a later nudge or `pass` must start a new pass.
    this.busy = false;
    this.sleep();
  }

  /** Rejects if the work rejects, takes longer than the limit, or does not end soon after a stop. */
  private async runPass(): Promise<void> {
    const { name, logger, limitMs = PASS_LIMIT_MS } = this.options;
    const stopping = new AbortController();
    let limit: NodeJS.Timeout | undefined;
    try {
      const work = this.options.work(stopping.signal);
      await new Promise<void>((resolve, reject) => {
        const giveUp = (error: Error) => {
          if (this.current !== pass) return;
          stopping.abort(error);
          reject(error);
          work.catch((err: unknown) => logger.debug({ err }, `${name} failed after it was given up`));
        };
        const pass = { stopping, giveUp };
        this.current = pass;
        limit = setTimeout(() => giveUp(new Error(`${name} took longer than ${limitMs} ms`)), limitMs);
        // Only the work may keep the process alive.
        limit.unref();
        work.then(resolve, reject);
      });
    } finally {
      clearTimeout(limit);
      this.current = undefined;
    }
  }

  private logFailure(err: unknown): void {
    const { logger, level = 'warn', name } = this.options;
    const about = { err, failures: this.failures, pauseMs: this.pauseMs };
    logger[level](about, this.stopped ? `${name} failed` : `${name} failed, will be retried`);
  }

  /** From now to the next pass. */
  private get pauseMs(): number {
    const { backoff, everyMs } = this.options;
    return backoff && this.failures > 0 ? backoffMs(this.failures, backoff) : everyMs;
  }

  private get withinMs(): number {
    return this.pauseMs + (this.options.limitMs ?? PASS_LIMIT_MS);
  }

  private sleep(): void {
    if (!this.started) return;
    const now = performance.now();
    const { pauseMs } = this;
    const backsOff = this.options.backoff !== undefined && this.failures > 0;
    const untilPass = backsOff ? pauseMs : Math.max(0, Math.min(pauseMs, this.dueAt - now));
    this.dueAt = now + untilPass;
    if (backsOff) this.resumeAt = this.dueAt;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), untilPass);
    if (this.options.ref === false) this.timer.unref();
  }
}
