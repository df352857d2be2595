import type { Logger } from '../logging/logger.js';

/** Logs the first failure of an outage, and none of the following ones until something has worked again. */
export class OutageLog {
  private away = false;

  constructor(
    private readonly logger: Logger,
    private readonly text: string,
  ) {}

  failed(error: unknown): void {
    if (!this.away) this.logger.warn({ err: error }, this.text);
    this.away = true;
  }

  worked(): void {
    this.away = false;
  }
}
