import type { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';
import { PollingLoop } from './polling-loop.js';

export interface PeriodicJobOptions {
  /** Names the work in the log, as in "purge of sessions". */
  name: string;
  everyMs: number;
  /** `stop` aborts the signal: long work should check it and end early. */
  work: (stopping: AbortSignal) => Promise<void>;
  logger: Logger;
  /** As of `PollingLoop`. */
  limitMs?: number;
  registry?: Registry;
}

/** Runs work such as purges at the start and then regularly. Does not keep the process alive. */
export class PeriodicJob {
  private readonly loop: PollingLoop;

  constructor(options: PeriodicJobOptions) {
    this.loop = new PollingLoop({ ...options, ref: false });
  }

  start(): void {
    this.loop.start();
    this.loop.nudge();
  }

  /** Ends the job: aborts the signal of the current run and waits for its end. */
  async stop(): Promise<void> {
    await this.loop.stop();
  }
}
