import type { TopicPartitionOffsetAndMetadata } from 'kafkajs';
import { KeyedQueue } from '../keyed-queue.js';
import type { Consumer, EventRecord } from '../event-bus.js';
import type { FailuresByPartition } from './kafka-admin.js';
import { type PartitionCommit, PartitionProgress } from './partition-progress.js';

/** The delivery of one event to one group's handler. */
export interface KafkaDelivery {
  seq: string;
  event: EventRecord;
  partition: number;
  offset: number;
  progress: PartitionProgress;
  generation: GroupGeneration;
  consumer: Consumer<unknown>;
  /** Failures that count towards becoming a dead letter. */
  attempts: number;
  /** All failures since the event was read. */
  failures: number;
  /** Called after each attempt. */
  tried(): void;
}

/**
 * The time between two rebalances of a group, in which this member's partitions stay the same. Events that are not done
 * at its end are delivered again, to this member or another.
 */
export class GroupGeneration {
  readonly queue: KeyedQueue<KafkaDelivery>;
  isOver = false;
  /** Ends the waits of `orEnded`. */
  private readonly waits = new Set<() => void>();
  private taken = 0;
  private readonly partitions = new Map<
    string,
    { topic: string; partition: number; progress: PartitionProgress }
  >();
  private readonly timers = new Set<NodeJS.Timeout>();

  /** `remembered`: earlier failures, committed by the members that had the partitions before. */
  constructor(
    readonly remembered: Promise<FailuresByPartition>,
    options: { group: string; concurrency: number; run(delivery: KafkaDelivery): Promise<void> },
  ) {
    this.queue = new KeyedQueue(options.group, { ...options, capacity: Infinity });
  }

  /**
   * The progress for a batch that begins at `offset`. An offset before the last read one means that the brokers have lost
   * confirmed events and kafkajs reads from the beginning. The same offsets then name other events, so the partition gets
   * a new progress.
   */
  progressOf(topic: string, partition: number, offset: number): PartitionProgress {
    const name = `${topic}/${partition}`;
    const known = this.partitions.get(name);
    if (known && offset >= known.progress.resolved) return known.progress;
    const progress = new PartitionProgress();
    this.partitions.set(name, { topic, partition, progress });
    return progress;
  }

  /** A unique name for the next delivery. Offsets are not unique: after the brokers have lost events, two events share one. */
  nextSeq(): string {
    return `${this.taken++}`;
  }

  /**
   * Resolves when `work` is done or the generation ends. `Promise.race` with one shared promise of the end would leak
   * memory: that promise keeps a reaction of every race until it resolves.
   */
  async orEnded(work: Promise<unknown>): Promise<void> {
    if (this.isOver) return;
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.waits.add(end);
    try {
      await Promise.race([work, ended]);
    } finally {
      this.waits.delete(end);
    }
  }

  /** When the oldest open event of each topic was published, in milliseconds since the epoch. */
  oldest(): Map<string, number> {
    const oldest = new Map<string, number>();
    for (const { topic, progress } of this.partitions.values()) {
      const at = progress.oldestAt;
      if (at !== undefined) oldest.set(topic, Math.min(at, oldest.get(topic) ?? Infinity));
    }
    return oldest;
  }

  uncommitted(): { offsets: TopicPartitionOffsetAndMetadata[]; markCommitted(): void } {
    const commits: { progress: PartitionProgress; commit: PartitionCommit }[] = [];
    const offsets: TopicPartitionOffsetAndMetadata[] = [];
    for (const { topic, partition, progress } of this.partitions.values()) {
      const commit = progress.uncommitted;
      if (!commit) continue;
      commits.push({ progress, commit });
      offsets.push({ topic, partition, offset: `${commit.offset}`, metadata: commit.metadata });
    }
    return {
      offsets,
      markCommitted: () => commits.forEach(({ progress, commit }) => progress.markCommitted(commit)),
    };
  }

  after(milliseconds: number, run: () => void): void {
    if (this.isOver) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, milliseconds);
    this.timers.add(timer);
  }

  /** Starts no more handlers; resolves when the running ones have ended. */
  async close(): Promise<void> {
    this.isOver = true;
    for (const timer of this.timers) clearTimeout(timer);
    for (const end of this.waits) end();
    await this.queue.close();
  }
}
