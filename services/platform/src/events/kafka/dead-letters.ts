import type { Admin, EachMessagePayload, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { newId } from '../../ids/uuid-v7.js';
import type { EventRecord } from '../event-bus.js';
import type { DeadLetter } from '../bus-store.js';
import { republishEnd } from '../republish.js';
import { CLIENT_RETRY } from './kafka-client.js';
import type { KafkaPublisher } from './kafka-publisher.js';
import { fromRecord, type ReceivedRecord, textHeaders, toMessage } from './kafka-record.js';
import { deadLetterTopic } from './topic-table.js';

/** Where an event was read. */
export interface EventPlace {
  partition: number;
  offset: number;
}

export interface KafkaDeadLetter extends DeadLetter, EventPlace {
  event: EventRecord;
}

/** Says that a dead letter before it has been dealt with. */
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
 * What consumers have given up on. Each topic has one that takes its dead letters: the event as it was, with the
 * failure in headers. Records are only added; a letter that was dealt with is followed by one that says so.
 */
export class DeadLetters {
  constructor(
    private readonly options: { kafka: Kafka; publisher: KafkaPublisher; prefix: string; logger: Logger },
  ) {}

  async bury(letter: Omit<KafkaDeadLetter, 'eventId' | 'topic' | 'key'>): Promise<void> {
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

  /** Those of these groups on these topics that nobody has dealt with, in the order in which they can be replayed. */
  async list(topics: readonly string[], groups: readonly string[]): Promise<KafkaDeadLetter[]> {
    const letters = new Map<string, KafkaDeadLetter>();
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
    return [...letters.values()].sort(
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
      const unread = new Map<string, number>();
      for (const topic of topics) {
        for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
          if (Number(high) > Number(low)) unread.set(`${topic}/${partition}`, Number(high));
        }
      }
      if (unread.size > 0) await this.readUntil(admin, unread, [...topics], take);
    } finally {
      await admin.disconnect();
    }
  }

  /** Reads from the beginning up to these ends, as a group of its own that is removed afterwards. */
  private async readUntil(
    admin: Admin,
    unread: Map<string, number>,
    topics: string[],
    take: TakeRecord,
  ): Promise<void> {
    const { kafka, prefix, logger } = this.options;
    const groupId = `${prefix}dead-letter-reader-${newId()}`;
    const consumer = kafka.consumer({
      groupId,
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: 100,
      retry: CLIENT_RETRY,
    });
    await consumer.connect();
    try {
      await consumer.subscribe({ topics, fromBeginning: true });
      await new Promise<void>((resolve, reject) => {
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
        const eachMessage = async ({ topic, partition, message }: EachMessagePayload) => {
          const place = `${topic}/${partition}`;
          const end = unread.get(place);
          if (end === undefined) return;
          take(topic, message);
          // Retention may have removed the last ones meanwhile.
          if (Number(message.offset) >= end - 1) unread.delete(place);
          if (unread.size === 0) resolve();
        };
        consumer.run({ autoCommit: false, eachMessage }).catch(reject);
      });
    } finally {
      await consumer.disconnect();
      await admin.deleteGroups([groupId]).catch((error: unknown) => {
        logger.warn({ err: error, groupId }, 'the group that read dead letters could not be removed');
      });
    }
  }
}

/** Orders as a number: a republication's end needs the states of all partitions to have been handled. */
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
