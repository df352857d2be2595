import type { Logger } from '../logging/logger.js';
import { PollingLoop } from './polling-loop.js';

export interface PeriodicJobOptions {
  /** For the log: what the work does, as in "purge of sessions". */
  name: string;
  everyMs: number;
  work: () => Promise<void>;
  logger: Logger;
}

/** Work that is due from time to time, such as purges: at the start, then regularly. Keeps no process alive. */
export class PeriodicJob {
  private readonly loop: PollingLoop;

  constructor(options: PeriodicJobOptions) {
    this.loop = new PollingLoop({ ...options, ref: false });
  }

  start(): void {
    this.loop.start();
    this.loop.nudge();
  }

  /** Ends it and waits for what is under way. */
  async stop(): Promise<void> {
    await this.loop.stop();
  }
}
