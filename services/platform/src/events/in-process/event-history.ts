import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '../../time/backoff.js';
import type { NumberedEvent } from './bus-store.js';

/** How long an event may wait for others that are written with it. */
const COLLECT_MS = 500;
const FULL = 1_000;

/**
 * Writes the rows of events that all groups have handled, in the background and many at once. Nothing waits for these rows:
 * new projections start from them, and the commands of other processes see by them what has been handled. After a crash the
 * last ones may be missing; a new projection gets their states by the republication that fills it.
 */
export class EventHistory {
  private waiting: NumberedEvent[] = [];
  private flushing: Promise<void> | undefined;
  private closed = false;
  private readonly closing = new AbortController();
  private hurry = new AbortController();
  /** Called with the outcome of the next attempt. */
  private attempts: ((isWritten: boolean) => void)[] = [];

  constructor(
    private readonly options: { write(events: readonly NumberedEvent[]): Promise<void>; logger: Logger },
  ) {}

  /** Whether the store has not taken rows for so long that no more should be collected. */
  get isFull(): boolean {
    return this.waiting.length >= FULL;
  }

  add(events: readonly NumberedEvent[]): void {
    this.waiting.push(...events);
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

  /** Writes what waits; resolves when that is done or one attempt has failed. */
  async close(): Promise<void> {
    this.closed = true;
    this.hurry.abort();
    this.closing.abort();
    await this.flushing;
  }

  private async flush(): Promise<void> {
    await pause(COLLECT_MS, this.hurry.signal);
    for (let failures = 0; this.waiting.length > 0 && !(this.closed && failures > 0);) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.options.write(batch);
        failures = 0;
        this.attempted(true);
        if (this.waiting.length > 0) await pause(COLLECT_MS, this.hurry.signal);
      } catch (error) {
        failures += 1;
        this.waiting = [...batch, ...this.waiting];
        this.attempted(false);
        this.options.logger.error(
          { err: error, count: this.waiting.length },
          'storing handled events failed, will be retried',
        );
        await pause(backoffMs(failures, { firstMs: 50, longestMs: 1_000 }), this.closing.signal);
      }
    }
    // Set in the same turn as the last check of `waiting`: a later `add` must start a new flush.
    this.flushing = undefined;
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
