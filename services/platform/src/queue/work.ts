import type { QueueClass } from './queue.js';

/** The work of one queue: a provider of a worker. */
export interface Work {
  readonly queue: QueueClass;
  /** How many rows one process works on at once. */
  readonly concurrency: number;
  /**
   * Does what the row asks for, if it is due. First it claims the row: one write that moves the time at which the row is due
   * again, and fails if another worker has claimed it. So a row whose worker was killed comes again after that time. A
   * failure that should be tried again is a new due time; a rejection is a defect or an outage, and is logged.
   */
  perform(rowId: string): Promise<void>;
  /** The ids of at most `limit` rows that are due, the longest due first. */
  due(limit: number): Promise<readonly string[]>;
  /** The worker stops, and waits for the rows in work: work that takes long is to give its row back. */
  stop?(): void;
}
