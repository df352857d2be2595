import type { EventRecord } from '../event-bus.js';
import type { EventFailure } from '../events-failed.js';

/** What a reading of an outbox leaves out. */
export interface OutboxExcept {
  /** Topics of which nothing is read. */
  topics: readonly string[];
  /** Single entities that are not read. */
  entities: readonly { topic: string; key: string }[];
}

export interface Pending {
  /** Oldest first. */
  events: EventRecord[];
  /** The entities whose state could not be made, within the same limit. */
  failures: EventFailure[];
}

/** States that a store has committed and that may not have been published yet. */
export interface OutboxSource {
  /** All topics of its states, if a reading of some of them costs less than one of all. */
  readonly topics?: readonly string[];
  /** At most `limit` states, without those of `except`. Rejects if the store does not answer. */
  pending(limit: number, except?: OutboxExcept): Promise<Pending>;
  /**
   * Removes these events from the outbox, except where a newer state has replaced the published one. Rejects with
   * `EventsFailed` after it has removed all others, if single ones could not be removed.
   */
  published(events: readonly EventRecord[]): Promise<void>;
  /**
   * Whether this replica may drain a backlog. At most one replica has the claim; it lasts `CLAIM_MS` by the store's clock
   * and each call renews it.
   */
  claim(): Promise<boolean>;
  /** Gives the claim back, if this replica has it. */
  unclaim(): Promise<void>;
  depth(): Promise<number>;
  /** Removes data that is no longer needed after its publication; called regularly. Ends early when `stopping` aborts. */
  removeExpired?(stopping: AbortSignal): Promise<void>;
}

/** How long a replica that has died keeps others from draining a backlog. */
export const CLAIM_MS = 30_000;
