import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '../../time/backoff.js';

export interface BackgroundWriterOptions<T> {
  write(batch: readonly T[]): Promise<void>;
  /** Called with what has been written. */
  written?(batch: readonly T[]): void;
  /** How long something may wait for others that are written with it; not at all unless given. */
  collectMs?: number;
  /** What the log says when a write has failed. */
  failure: string;
  logger: Logger;
}

const BACKOFF = { firstMs: 50, longestMs: 1_000 };

/** Writes in the background; one write takes all that is waiting. A write that fails is repeated. */
export class BackgroundWriter<T> {
  private waiting: T[] = [];
  private flushing: Promise<void> | undefined;
  private closed = false;
  private readonly closing = new AbortController();
  private hurry = new AbortController();
  /** Called with the outcome of the next attempt. */
  private attempts: ((isWritten: boolean) => void)[] = [];

  constructor(private readonly options: BackgroundWriterOptions<T>) {}

  /** How much waits and is not being written. */
  get size(): number {
    return this.waiting.length;
  }

  add(...items: readonly T[]): void {
    this.waiting.push(...items);
    if (this.waiting.length > 0) this.flushing ??= this.flush();
  }

  /** Writes what waits at once; resolves when that is done or one attempt has failed. */
  async written(): Promise<void> {
    while (this.flushing) {
      this.hurry.abort();
      if (!(await new Promise<boolean>((resolve) => this.attempts.push(resolve)))) break;
    }
    this.hurry = new AbortController();
  }

  /** Resolves when all is written or one attempt has failed. */
  async close(): Promise<void> {
    this.closed = true;
    this.hurry.abort();
    this.closing.abort();
    await this.flushing;
  }

  private async flush(): Promise<void> {
    const { write, written, failure, logger } = this.options;
    if (this.options.collectMs) await this.collect();
    for (let failures = 0; this.waiting.length > 0 && !(this.closed && failures > 0);) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await write(batch);
        failures = 0;
        written?.(batch);
        this.attempted(true);
        if (this.options.collectMs && this.waiting.length > 0) await this.collect();
      } catch (error) {
        failures += 1;
        this.waiting = [...batch, ...this.waiting];
        this.attempted(false);
        logger.error({ err: error, count: this.waiting.length }, failure);
        await pause(backoffMs(failures, BACKOFF), this.closing.signal);
      }
    }
    // Set in the same turn as the last check of `waiting`: a later `add` must start a new flush.
    this.flushing = undefined;
  }

  private collect(): Promise<void> {
    return pause(this.options.collectMs!, this.hurry.signal);
  }

  private attempted(isWritten: boolean): void {
    for (const tell of this.attempts.splice(0)) tell(isWritten);
  }
}

/** Ends early when `signal` aborts. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
