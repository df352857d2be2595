import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '../../time/backoff.js';
import type { StoredDelivery } from './bus-store.js';

/** Writes acknowledgements in the background; one statement writes all that are waiting. */
export class Acknowledgements {
  private waiting: StoredDelivery[] = [];
  private flushing: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly options: {
      write(deliveries: readonly StoredDelivery[]): Promise<void>;
      written(deliveries: readonly StoredDelivery[]): void;
      logger: Logger;
    },
  ) {}

  add(delivery: StoredDelivery): void {
    this.waiting.push(delivery);
    this.flushing ??= this.flush();
  }

  /** Resolves when all are written or one attempt has failed. Events not acknowledged are delivered again at the next start. */
  async close(): Promise<void> {
    this.closed = true;
    await this.flushing;
  }

  private async flush(): Promise<void> {
    for (let failures = 0; this.waiting.length > 0 && !(this.closed && failures > 0);) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.options.write(batch);
        failures = 0;
        this.options.written(batch);
      } catch (error) {
        failures += 1;
        this.waiting = [...batch, ...this.waiting];
        this.options.logger.error(
          { err: error, count: this.waiting.length },
          'acknowledging events failed, will be retried',
        );
        if (!this.closed) await delay(backoffMs(failures, { firstMs: 50, longestMs: 1_000 }));
      }
    }
    // Set in the same turn as the last check of `waiting`: a later `add` must start a new flush.
    this.flushing = undefined;
  }
}
