import type { Message } from 'kafkajs';
import type { DeadLetter, EventRecord } from '../event-bus.js';
import { fromRecord, type ReceivedRecord, textHeaders, toMessage } from './kafka-record.js';

/** The place of an event in its topic. */
export interface EventPlace {
  partition: number;
  offset: number;
}

export interface KafkaDeadLetter extends DeadLetter, EventPlace {
  event: EventRecord;
}

/** Marks a record which says that an earlier dead letter has been handled or discarded. */
const RESOLVED_HEADER = 'pulso-dead-letter-resolved';
const HEADERS = {
  group: 'pulso-dead-letter-group',
  partition: 'pulso-dead-letter-partition',
  offset: 'pulso-dead-letter-offset',
  attempts: 'pulso-dead-letter-attempts',
  error: 'pulso-dead-letter-error',
  failedAt: 'pulso-dead-letter-failed-at',
  /** Marks a dead letter that is only so if it still was one before: its replay failed. */
  again: 'pulso-dead-letter-again',
} as const;

const ownHeaders = new Set<string>(Object.values(HEADERS));

export type NewDeadLetter = Omit<KafkaDeadLetter, 'eventId' | 'topic' | 'key'>;

/** The record of a dead letter: the unchanged event with the failure in headers. Its age is that of the first failure. */
export function toLetterMessage(letter: NewDeadLetter, options: { again: boolean }): Message {
  const { group, partition, offset, attempts, error, failedAt, event } = letter;
  const message = toMessage(event);
  const about = {
    [HEADERS.group]: group,
    [HEADERS.partition]: `${partition}`,
    [HEADERS.offset]: `${offset}`,
    [HEADERS.attempts]: `${attempts}`,
    [HEADERS.error]: error,
    [HEADERS.failedAt]: failedAt.toISOString(),
    ...(options.again && { [HEADERS.again]: 'true' }),
  };
  // So that a replay that fails does not keep the event longer (`retention.ms`).
  return { ...message, timestamp: `${failedAt.getTime()}`, headers: { ...message.headers, ...about } };
}

/** The record which says that a dead letter has been handled or discarded. */
export function toResolvedMessage({ group, event }: Pick<KafkaDeadLetter, 'group' | 'event'>): Message {
  const headers = { ce_id: event.id, [HEADERS.group]: group, [RESOLVED_HEADER]: 'true' };
  return { key: event.key, value: null, headers };
}

/** What a record of a dead letter topic says; `resolved`: that the letter has been handled or discarded. */
export function readRecord(topic: string, record: ReceivedRecord): LetterRecord {
  const headers = textHeaders(record.headers);
  const [partition, offset] = [Number(headers[HEADERS.partition]), Number(headers[HEADERS.offset])];
  const event = fromRecord(topic, placeName(topic, { partition, offset }), record);
  event.headers = Object.fromEntries(Object.entries(event.headers).filter(([name]) => !ownHeaders.has(name)));
  const letter = {
    group: headers[HEADERS.group] ?? '',
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
  const kind = headers[RESOLVED_HEADER] !== undefined ? 'resolved' : headers[HEADERS.again] ? 'again' : 'new';
  return { kind, letter };
}

interface LetterRecord {
  kind: 'new' | 'again' | 'resolved';
  letter: KafkaDeadLetter;
}

export const placeName = (topic: string, { partition, offset }: EventPlace) =>
  `${topic}/${partition}@${offset}`;
