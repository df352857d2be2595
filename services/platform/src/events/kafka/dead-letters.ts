import type { Admin, EachMessagePayload, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { newId } from '../../ids/uuid-v7.js';
import { PollingLoop } from '../../jobs/polling-loop.js';
import type { Clock } from '../../time/clock.js';
import { DEAD_LETTERS_KEPT_MS, type DeadLetter, type EventRecord } from '../event-bus.js';
import { republishEnd } from '../republish.js';
import { CLIENT_RETRY } from './kafka-client.js';
import type { KafkaPublisher } from './kafka-publisher.js';
import { fromRecord, type ReceivedRecord, textHeaders, toMessage } from './kafka-record.js';
import { deadLetterTopic } from './topic-table.js';

/** The place of an event in its topic. */
export interface EventPlace {
  partition: number;
  offset: number;
}

export interface KafkaDeadLetter extends DeadLetter, EventPlace {
  event: EventRecord;
}

/** Milliseconds between checks for dead letters that retention has removed before they were read. */
const REMOVED_MS = 1_000;
/** Marks a record which says that an earlier dead letter has been handled or discarded. */
const RESOLVED_HEADER = 'pulso-dead-letter-resolved';
const HEADERS = {
  group: 'pulso-dead-letter-group',
  partition: 'pulso-dead-letter-partition',
  offset: 'pulso-dead-letter-offset',
  attempts: 'pulso-dead-letter-attempts',
  error: 'pulso-dead-letter-error',
  failedAt: 'pulso-dead-letter-failed-at',
} as const;

/**
 * The events that consumers have failed to handle too often. Each topic has a topic of its dead letters, which hold the
 * unchanged event, with the failure in headers. Records are only added: another record says that a dead letter was
 * handled or discarded.
 */
export class DeadLetters {
  constructor(
    private readonly options: {
      kafka: Pick<Kafka, 'admin' | 'consumer'>;
      publisher: KafkaPublisher;
      prefix: string;
      clock: Clock;
      logger: Logger;
      registry?: Registry;
    },
  ) {}

  async deadLetter(letter: Omit<KafkaDeadLetter, 'eventId' | 'topic' | 'key'>): Promise<void> {
    const { group, partition, offset, attempts, error, failedAt, event } = letter;
    const message = toMessage(event);
    const about = {
      [HEADERS.group]: group,
      [HEADERS.partition]: `${partition}`,
      [HEADERS.offset]: `${offset}`,
      [HEADERS.attempts]: `${attempts}`,
      [HEADERS.error]: error,
      [HEADERS.failedAt]: failedAt.toISOString(),
    };
    await this.add(event.topic, { ...message, headers: { ...message.headers, ...about } });
  }

  async resolve({ group, event }: Pick<KafkaDeadLetter, 'group' | 'event'>): Promise<void> {
    const headers = { ce_id: event.id, [HEADERS.group]: group, [RESOLVED_HEADER]: 'true' };
    await this.add(event.topic, { key: event.key, value: null, headers });
  }

  /**
   * The open dead letters of these groups on these topics, in the order in which they can be replayed. Kafka removes
   * records in whole segments, so somewhat later than DEAD_LETTERS_KEPT_MS.
   */
  async list(topics: readonly string[], groups: readonly string[]): Promise<KafkaDeadLetter[]> {
    const letters = new Map<string, KafkaDeadLetter>();
    const oldest = this.options.clock.now() - DEAD_LETTERS_KEPT_MS;
    const sources = new Map(topics.map((topic) => [this.nameOf(topic), topic]));
    await this.readAll([...sources.keys()], (name, record) => {
      const headers = textHeaders(record.headers);
      const group = headers[HEADERS.group] ?? '';
      if (!groups.includes(group)) return;
      const letter = letterOf(sources.get(name)!, group, headers, record);
      const id = `${group}\n${letter.eventId}`;
      if (headers[RESOLVED_HEADER] === undefined) letters.set(id, letter);
      else letters.delete(id);
    });
    return [...letters.values()]
      .filter(({ failedAt }) => !(failedAt.getTime() < oldest))
      .sort(
        (a, b) =>
          a.topic.localeCompare(b.topic) ||
          isEnd(a) - isEnd(b) ||
          a.partition - b.partition ||
          a.offset - b.offset,
      );
  }

  private add(topic: string, message: ReturnType<typeof toMessage>): Promise<void> {
    return this.options.publisher.publish([{ topic: this.nameOf(topic), message }]);
  }

  private nameOf(topic: string): string {
    return this.options.prefix + deadLetterTopic(topic);
  }

  private async readAll(topics: readonly string[], take: TakeRecord): Promise<void> {
    const admin = this.options.kafka.admin();
    await admin.connect();
    try {
      const ends = new Map<string, number>();
      for (const { place, low, high } of await offsetsOf(admin, topics))
        if (high > low) ends.set(place, high);
      if (ends.size > 0) await this.readUntil(ends, { admin, topics, take });
    } finally {
      await admin.disconnect();
    }
  }

  /** Reads from the beginning up to these ends, as a new consumer group that is removed afterwards. */
  private async readUntil(
    ends: ReadonlyMap<string, number>,
    { admin, topics, take }: Reading,
  ): Promise<void> {
    const { kafka, prefix, logger, registry } = this.options;
    const groupId = `${prefix}dead-letter-reader-${newId()}`;
    const consumer = kafka.consumer({
      groupId,
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: 100,
      retry: CLIENT_RETRY,
    });
    await consumer.connect();
    const unread = new Map(ends);
    let allRead!: () => void;
    const read = new Promise<void>((resolve) => (allRead = resolve));
    const readUpTo = (place: string, offset: number) => {
      if (offset >= unread.get(place)!) unread.delete(place);
      if (unread.size === 0) allRead();
    };
    // If retention removes the last dead letters before they are read, no record shows that the end is reached.
    const removals = new PollingLoop({
      name: 'checking for dead letters that were removed',
      everyMs: REMOVED_MS,
      work: async () => {
        for (const { place, low } of await offsetsOf(admin, topics)) readUpTo(place, low);
      },
      logger,
      registry,
    });
    try {
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      removals.start();
      const crashed = new Promise<never>((_, reject) => {
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
        const eachMessage = async ({ topic, partition, message }: EachMessagePayload) => {
          const place = `${topic}/${partition}`;
          if (!unread.has(place)) return;
          take(topic, message);
          readUpTo(place, Number(message.offset) + 1);
        };
        consumer.run({ autoCommit: false, eachMessage }).catch(reject);
      });
      await Promise.race([read, crashed]);
    } finally {
      await removals.stop();
      await consumer.disconnect();
      await admin.deleteGroups([groupId]).catch((error: unknown) => {
        logger.warn(
          { err: error, groupId },
          'the consumer group that read dead letters could not be removed',
        );
      });
    }
  }
}

interface Reading {
  admin: Admin;
  topics: readonly string[];
  take: TakeRecord;
}

/** The first offset that each partition still has, and the offset after its last. */
async function offsetsOf(
  admin: Admin,
  topics: readonly string[],
): Promise<{ place: string; low: number; high: number }[]> {
  const ofTopics = topics.map(async (topic) => {
    const offsets = await admin.fetchTopicOffsets(topic);
    return offsets.map(({ partition, low, high }) => {
      return { place: `${topic}/${partition}`, low: Number(low), high: Number(high) };
    });
  });
  return (await Promise.all(ofTopics)).flat();
}

/** A sort key: an end marker can be handled only after the states of all partitions. */
const isEnd = ({ event }: KafkaDeadLetter) => Number(republishEnd(event) !== undefined);

type TakeRecord = (topic: string, record: ReceivedRecord) => void;

function letterOf(
  topic: string,
  group: string,
  headers: Record<string, string>,
  record: ReceivedRecord,
): KafkaDeadLetter {
  const [partition, offset] = [Number(headers[HEADERS.partition]), Number(headers[HEADERS.offset])];
  const event = fromRecord(topic, placeName(topic, { partition, offset }), record);
  const own = new Set<string>(Object.values(HEADERS));
  event.headers = Object.fromEntries(Object.entries(event.headers).filter(([name]) => !own.has(name)));
  return {
    group,
    eventId: event.id,
    topic,
    key: event.key,
    partition,
    offset,
    attempts: Number(headers[HEADERS.attempts]),
    error: headers[HEADERS.error] ?? '',
    failedAt: new Date(headers[HEADERS.failedAt] ?? NaN),
    event,
  };
}

export const placeName = (topic: string, { partition, offset }: EventPlace) =>
  `${topic}/${partition}@${offset}`;
