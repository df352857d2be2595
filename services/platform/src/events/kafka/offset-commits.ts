import type { TopicPartitionOffsetAndMetadata } from 'kafkajs';
import type { Logger } from 'pino';

/** Commits of one group, one request at a time for all partitions that have got further. */
export class OffsetCommits {
  private running: Promise<void> | undefined;
  private again = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly options: {
      uncommitted(): { offsets: TopicPartitionOffsetAndMetadata[]; markCommitted(): void };
      commit(offsets: TopicPartitionOffsetAndMetadata[]): Promise<void>;
      logger: Logger;
      /** Milliseconds until what could not be committed is tried again. */
      retryMs?: number;
    },
  ) {
    this.timer = setInterval(() => void this.flush(), options.retryMs ?? 1_000);
  }

  /** Resolves when what is done now has been committed, or has failed to: it is then part of the next flush. */
  async flush(): Promise<void> {
    this.again = true;
    this.running ??= this.run().finally(() => (this.running = undefined));
    await this.running;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async run(): Promise<void> {
    while (this.again) {
      this.again = false;
      const { offsets, markCommitted } = this.options.uncommitted();
      if (offsets.length === 0) continue;
      try {
        await this.options.commit(offsets);
        markCommitted();
      } catch (error) {
        this.options.logger.warn({ err: error }, 'offsets could not be committed for now');
      }
    }
  }
}
