import { setTimeout as delay } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { backoffMs } from '../../time/backoff.js';
import { CLIENT_RETRY } from './kafka-client.js';
import { failuresIn } from './partition-progress.js';

/** Failures by offset, for each `<topic>/<partition>`. */
export type FailuresByPartition = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Offsets of a partition, and of a group there. */
export interface Position {
  first: number;
  end: number;
  committed: number | undefined;
}

/** How many events of a topic a group has not committed. */
export interface Lag {
  group: string;
  topic: string;
  count: number;
}

/** For some 10 s in all: longer than brokers need to choose a leader. */
const ELECTION = { firstMs: 50, longestMs: 1_000, attempts: 15 };
const LEADERLESS = new Set(['LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION']);

/** A bus's admin requests to the brokers. Topics and groups have their names on the brokers. */
export class KafkaAdmin {
  private admin: Promise<Admin> | undefined;
  private closed = false;

  constructor(
    private readonly kafka: Kafka,
    private readonly logger: Logger,
  ) {}

  /** The topics of `topics` that the brokers do not have. */
  async missing(topics: readonly string[]): Promise<string[]> {
    const present = new Set(await this.ask((admin) => admin.listTopics()));
    return topics.filter((topic) => !present.has(topic));
  }

  async partitions(topic: string): Promise<number> {
    const { topics } = await this.ask((admin) => admin.fetchTopicMetadata({ topics: [topic] }));
    return topics[0]!.partitions.length;
  }

  /** Each partition, in their order: its first offset, its end, and what the group has committed there. */
  async positions(group: string, topic: string): Promise<Position[]> {
    return this.ask(async (admin) => {
      const [answer] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
      const committed = new Map(
        answer!.partitions.map(({ partition, offset }) => [partition, Number(offset)]),
      );
      const ends = await admin.fetchTopicOffsets(topic);
      return ends
        .toSorted((a, b) => a.partition - b.partition)
        .map(({ partition, low, high }) => {
          const offset = committed.get(partition) ?? -1;
          return { first: Number(low), end: Number(high), committed: offset < 0 ? undefined : offset };
        });
    });
  }

  /**
   * The events that the groups have not committed. The topics' ends are read after all commits, so that nothing which was
   * published before the first answer is left out; and once a topic, however many groups read it.
   */
  async lag(groups: readonly { group: string; topics: readonly string[] }[]): Promise<Lag[]> {
    return this.ask(async (admin) => {
      const commits = await Promise.all(
        groups.map(async ({ group, topics }) => {
          const committed = await admin.fetchOffsets({ groupId: group, topics: [...topics] });
          return committed.map(({ topic, partitions }) => ({ group, topic, partitions }));
        }),
      );
      const topics = new Set(groups.flatMap((group) => group.topics));
      const ends = new Map(
        await Promise.all(
          [...topics].map(async (topic) => [topic, await admin.fetchTopicOffsets(topic)] as const),
        ),
      );
      return commits.flat().map(({ group, topic, partitions }) => {
        const done = new Map(partitions.map(({ partition, offset }) => [partition, Number(offset)]));
        const open = ends.get(topic)!.map(({ partition, low, high }) => {
          return Math.max(0, Number(high) - Math.max(Number(low), done.get(partition) ?? 0));
        });
        return { group, topic, count: open.reduce((sum, count) => sum + count, 0) };
      });
    });
  }

  /** The failures that were committed with the group's offsets; see `PartitionCommit`. */
  async failures(group: string, topics: readonly string[]): Promise<FailuresByPartition> {
    const committed = await this.ask((admin) => admin.fetchOffsets({ groupId: group, topics: [...topics] }));
    const entries = committed.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, metadata }) => [`${topic}/${partition}`, failuresIn(metadata)] as const),
    );
    return new Map(entries);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.disconnect();
  }

  private async disconnect(): Promise<void> {
    const { admin } = this;
    this.admin = undefined;
    try {
      await (await admin)?.disconnect();
    } catch (error) {
      this.logger.debug({ err: error }, 'the admin client could not be disconnected');
    }
  }

  /**
   * After a failure the next request uses new connections. A question about a partition without a leader, such as one that
   * has just been created, is asked again: kafkajs itself gives up at once and keeps what it knows of the leaders. So are the
   * questions that were under way on the same connections: they fail because these are closed.
   */
  private async ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures += 1) {
      const admin = (this.admin ??= this.connect());
      try {
        return await question(await admin);
      } catch (error) {
        const isClosedByAnother = this.admin !== admin;
        if (!isClosedByAnother) await this.disconnect();
        const isPassing = isLeaderless(error) || isClosedByAnother;
        if (!isPassing || this.closed || failures === ELECTION.attempts) throw error;
        await delay(backoffMs(failures, ELECTION));
      }
    }
  }

  private async connect(): Promise<Admin> {
    const admin = this.kafka.admin({ retry: CLIENT_RETRY });
    await admin.connect();
    return admin;
  }
}

const isLeaderless = (error: unknown) =>
  error instanceof Error && 'type' in error && LEADERLESS.has(error.type as string);
