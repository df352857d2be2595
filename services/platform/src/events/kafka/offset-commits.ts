import type { TopicPartitionOffsetAndMetadata } from 'kafkajs';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { PollingLoop } from '../../jobs/polling-loop.js';

/** Longer than all tries of one request take: a later commit must not be overtaken by one that was given up. */
const LIMIT_MS = 5 * 60_000;
/** Every progress asks for its commit, so without a failure there is nothing that the loop would find by itself. */
const CHECK_MS = 60_000;

interface OffsetCommitsOptions {
  uncommitted(): { offsets: TopicPartitionOffsetAndMetadata[]; markCommitted(): void };
  commit(offsets: TopicPartitionOffsetAndMetadata[]): Promise<void>;
  logger: Logger;
  registry?: Registry;
  /** Milliseconds until a failed commit is retried. */
  retryMs?: number;
}

/** Commits one group's offsets: one request at a time, with all partitions that have progressed. */
export class OffsetCommits {
  private readonly loop: PollingLoop;

  constructor(private readonly options: OffsetCommitsOptions) {
    const { logger, registry, retryMs = 1_000 } = options;
    this.loop = new PollingLoop({
      name: 'committing offsets',
      everyMs: CHECK_MS,
      backoff: { firstMs: retryMs, longestMs: retryMs },
      work: () => this.commit(),
      logger,
      limitMs: LIMIT_MS,
      registry,
    });
    this.loop.start();
  }

  /** Resolves when the current offsets are committed, or the commit failed: the next flush then commits them. */
  async flush(): Promise<void> {
    try {
      await this.loop.pass();
    } catch (err) {
      this.options.logger.warn({ err }, 'offsets could not be committed, will be retried');
    }
  }

  async close(): Promise<void> {
    await this.loop.stop();
    await this.flush();
  }

  private async commit(): Promise<void> {
    const { offsets, markCommitted } = this.options.uncommitted();
    if (offsets.length === 0) return;
    await this.options.commit(offsets);
    markCommitted();
  }
}
