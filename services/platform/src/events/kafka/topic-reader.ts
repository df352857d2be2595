import type { Admin, EachMessagePayload, Kafka, Consumer as KafkaConsumer } from 'kafkajs';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { newId } from '../../ids/uuid-v7.js';
import { PollingLoop } from '../../jobs/polling-loop.js';
import { CLIENT_RETRY } from './kafka-client.js';
import type { ReceivedRecord } from './kafka-record.js';

/** A record with its place: `<topic>/<partition>` with the topic's name on the brokers, and the offset there. */
export interface PlacedRecord {
  topic: string;
  place: string;
  offset: number;
  record: ReceivedRecord;
}

export interface TopicReaderOptions {
  kafka: Pick<Kafka, 'consumer'>;
  /** Connected. */
  admin: Pick<Admin, 'fetchTopicOffsets' | 'deleteGroups'>;
  /** The prefix of the reader's own consumer group. */
  prefix: string;
  /** Names on the brokers. */
  topics: readonly string[];
  /** The first offsets to read, by place; other partitions are read from their beginning. */
  from?: ReadonlyMap<string, number>;
  /** Called with each record, in the order of its partition; also with some before `from`. */
  take(record: PlacedRecord): void;
  logger: Logger;
  registry?: Registry;
}

/** Milliseconds between checks for records that retention has removed before they were read. */
const REMOVED_MS = 1_000;

/** How the names of the readers' groups begin, after the prefix. */
export const READER_GROUP = 'dead-letter-reader-';

/** Reads topics as far as it is asked to, as a new consumer group that is removed at the end. */
export class TopicReader {
  private readonly groupId: string;
  /** The next offsets, by place. */
  private readonly next: Map<string, number>;
  private readonly waiting = new Set<{ isReached(): boolean; resolve(): void }>();
  private readonly removals: PollingLoop;
  private consumer: KafkaConsumer | undefined;
  private crashed: Promise<never> | undefined;

  constructor(private readonly options: TopicReaderOptions) {
    this.groupId = `${options.prefix}${READER_GROUP}${newId()}`;
    this.next = new Map(options.from);
    // If retention removes the last records before they are read, no record shows that the end is reached.
    this.removals = new PollingLoop({
      name: 'checking for dead letters that were removed',
      everyMs: REMOVED_MS,
      work: async () => {
        for (const { place, low } of await this.offsets()) this.readUpTo(place, low);
      },
      logger: options.logger,
      registry: options.registry,
    });
  }

  /** Resolves when all records that the topics have by now have been taken, or removed by retention. */
  async catchUp(): Promise<void> {
    const written = (await this.offsets()).filter(({ low, high }) => high > low);
    await this.reach(new Map(written.map(({ place, high }) => [place, high])));
  }

  /** Resolves when all records before these offsets, by place, have been taken, or removed by retention. */
  async reach(ends: ReadonlyMap<string, number>): Promise<void> {
    const isReached = () => [...ends].every(([place, end]) => (this.next.get(place) ?? 0) >= end);
    if (isReached()) return;
    if (!this.crashed) {
      this.crashed = this.start();
      // A crash while nobody waits rejects the next wait.
      this.crashed.catch(() => undefined);
    }
    const reached = new Promise<void>((resolve) => this.waiting.add({ isReached, resolve }));
    await Promise.race([reached, this.crashed]);
  }

  async close(): Promise<void> {
    await this.removals.stop();
    if (!this.consumer) return;
    await this.consumer.disconnect();
    const { groupId } = this;
    await this.options.admin.deleteGroups([groupId]).catch((error: unknown) => {
      const message = 'the consumer group that read dead letters could not be removed';
      this.options.logger.warn({ err: error, groupId }, message);
    });
  }

  /** Never resolves; rejects when the consumer cannot start or crashes. */
  private async start(): Promise<never> {
    const { kafka, topics, from = new Map<string, number>() } = this.options;
    const consumer = kafka.consumer({
      groupId: this.groupId,
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: 100,
      retry: CLIENT_RETRY,
    });
    this.consumer = consumer;
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    this.removals.start();
    return new Promise<never>((_, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      const eachMessage = async (payload: EachMessagePayload) => this.takeMessage(payload);
      consumer.run({ autoCommit: false, eachMessage }).catch(reject);
      for (const [place, offset] of from) {
        const partition = Number(place.slice(place.lastIndexOf('/') + 1));
        consumer.seek({ topic: place.slice(0, place.lastIndexOf('/')), partition, offset: `${offset}` });
      }
    });
  }

  private takeMessage({ topic, partition, message }: EachMessagePayload): void {
    const place = placeOf(topic, partition);
    const offset = Number(message.offset);
    this.options.take({ topic, place, offset, record: message });
    this.readUpTo(place, offset + 1);
  }

  private readUpTo(place: string, offset: number): void {
    this.next.set(place, Math.max(offset, this.next.get(place) ?? 0));
    for (const waiter of this.waiting) {
      if (!waiter.isReached()) continue;
      this.waiting.delete(waiter);
      waiter.resolve();
    }
  }

  /** The first offset that each partition still has, and the offset after its last. */
  private async offsets(): Promise<{ place: string; low: number; high: number }[]> {
    const ofTopics = this.options.topics.map(async (topic) => {
      const offsets = await this.options.admin.fetchTopicOffsets(topic);
      return offsets.map(({ partition, low, high }) => {
        return { place: placeOf(topic, partition), low: Number(low), high: Number(high) };
      });
    });
    return (await Promise.all(ofTopics)).flat();
  }
}

const placeOf = (topic: string, partition: number) => `${topic}/${partition}`;
