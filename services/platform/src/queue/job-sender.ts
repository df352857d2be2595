import type { Logger } from '../logging/logger.js';
import type { JobQueue, QueueBackend } from './queue-backend.js';
import { OutageLog } from './outage-log.js';
import type { QueueSender } from './queue.js';

/** What is done is a row's state, so a queue keeps nothing of it. */
const KEEP_NOTHING = { removeOnComplete: true, removeOnFail: true } as const;

/** Adds row ids to a queue. */
export class JobSender implements QueueSender {
  readonly queue: JobQueue;
  private readonly outages: OutageLog;
  private readonly running = new Set<Promise<void>>();

  constructor(name: string, backend: QueueBackend, logger: Logger) {
    this.queue = backend.openQueue(name);
    this.outages = new OutageLog(logger, `the queue ${name} cannot be reached; its work waits for the sweep`);
    this.queue.on('error', (error) => this.outages.failed(error));
  }

  send(rowIds: readonly string[]): void {
    const adding: Promise<void> = this.add(rowIds)
      .catch((error: unknown) => this.outages.failed(error))
      .finally(() => this.running.delete(adding));
    this.running.add(adding);
  }

  /** Rejects while the queue cannot be reached. */
  async add(rowIds: readonly string[]): Promise<void> {
    if (rowIds.length === 0) return;
    const jobs = rowIds.map((jobId) => ({ name: 'row', data: {}, opts: { jobId, ...KEEP_NOTHING } }));
    await this.queue.addBulk(jobs);
    this.outages.worked();
  }

  /** Waits for what is being sent. */
  async close(): Promise<void> {
    await Promise.all(this.running);
    await this.queue.close();
  }
}
