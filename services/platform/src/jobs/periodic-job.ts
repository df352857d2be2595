import type { Logger } from '../logging/logger.js';

export interface PeriodicJobOptions {
  /** For the log: what the work does, as in "purge of sessions". */
  name: string;
  everyMs: number;
  work: () => Promise<void>;
  logger: Logger;
}

/** Work that is due now and then, such as purges: at the start, then regularly, never twice at a time. */
export class PeriodicJob {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: PeriodicJobOptions) {}

  /** Keeps no process alive. */
  start(): void {
    this.timer = setInterval(() => this.run(), this.options.everyMs).unref();
    this.run();
  }

  /** Ends it and waits for what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private run(): void {
    const { name, work, logger } = this.options;
    this.running ??= work()
      .catch((error: unknown) => logger.warn({ err: error }, `${name} failed, will be retried`))
      .finally(() => (this.running = undefined));
  }
}
