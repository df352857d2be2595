import type { DeadLetter, Replay } from './event-bus.js';

/** The most dead letters that one replay names. */
export const REPLAYS_NAMED = 50;

/** Counts a replay's dead letters, and keeps the first ones that failed again. */
export class ReplayTally {
  private tried = 0;
  private failed = 0;
  private readonly named: DeadLetter[] = [];

  /** `error` is why the letter failed again; undefined if it was handled. */
  add(
    { group, eventId, topic, key, attempts, failedAt }: Omit<DeadLetter, 'error'>,
    error: string | undefined,
  ): void {
    this.tried += 1;
    if (error === undefined) return;
    this.failed += 1;
    if (this.named.length < REPLAYS_NAMED)
      this.named.push({ group, eventId, topic, key, attempts, failedAt, error });
  }

  get result(): Replay {
    return { tried: this.tried, failed: this.failed, named: this.named };
  }
}
