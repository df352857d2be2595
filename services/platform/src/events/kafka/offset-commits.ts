import type { TopicPartitionOffsetAndMetadata } from 'kafkajs';
import type { Logger } from 'pino';
import { PollingLoop } from '../../jobs/polling-loop.js';

interface OffsetCommitsOptions {
  uncommitted(): { offsets: TopicPartitionOffsetAndMetadata[]; markCommitted(): void };
  commit(offsets: TopicPartitionOffsetAndMetadata[]): Promise<void>;
  logger: Logger;
  /** Milliseconds until a failed commit is retried. */
  retryMs?: number;
}

/** Commits one group's offsets: one request at a time, with all partitions that have progressed. */
export class OffsetCommits {
  private readonly loop: PollingLoop;

  constructor(private readonly options: OffsetCommitsOptions) {
    const { logger, retryMs = 1_000 } = options;
    this.loop = new PollingLoop({
      name: 'committing offsets',
      everyMs: retryMs,
      work: () => this.commit(),
      logger,
    });
    this.loop.start();
  }

  /** Resolves when the current offsets are committed, or the commit failed: the next flush then commits them. */
  flush(): Promise<void> {
    return this.loop.pass();
  }

  async close(): Promise<void> {
    await this.loop.stop();
    await this.flush();
  }

  private async commit(): Promise<void> {
    const { offsets, markCommitted } = this.options.uncommitted();
    if (offsets.length === 0) return;
    try {
      await this.options.commit(offsets);
      markCommitted();
    } catch (error) {
      this.options.logger.warn({ err: error }, 'offsets could not be committed, will be retried');
    }
  }
}
