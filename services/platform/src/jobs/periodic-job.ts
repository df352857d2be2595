import type { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';
import { PASS_LIMIT_MS, PollingLoop } from './polling-loop.js';

export interface PeriodicJobOptions {
  /** Names the work in the log, as in "purge of sessions". */
  name: string;
  everyMs: number;
  /** `stop` and the limit abort the signal: long work should check it and end early. */
  work: (stopping: AbortSignal) => Promise<void>;
  logger: Logger;
  /** How long one run may take. Unless given as long as from one run to the next: rare work may have more to do. */
  limitMs?: number;
  /** As of `PollingLoop`. */
  registry?: Registry;
}

/** Runs work such as purges at the start and then regularly. Does not keep the process alive. */
export class PeriodicJob {
  private readonly loop: PollingLoop;

  constructor(options: PeriodicJobOptions) {
    const { everyMs, limitMs = Math.max(everyMs, PASS_LIMIT_MS) } = options;
    this.loop = new PollingLoop({ ...options, limitMs, ref: false });
  }

  start(): void {
    this.loop.start();
    this.loop.nudge();
  }

  /** The next run begins in at most `ms`. */
  within(ms: number): void {
    this.loop.within(ms);
  }

  /** Ends the job: aborts the signal of the current run and waits for its end, 3 s at most. */
  async stop(): Promise<void> {
    await this.loop.stop();
  }
}
