import { republishEnd } from '../republish.js';
import { type EventPlace, type KafkaDeadLetter, readRecord } from './dead-letter-record.js';
import type { ReceivedRecord } from './kafka-record.js';
import type { PlacedRecord } from './topic-reader.js';

/** What is kept of an open dead letter: where its newest record is, and what sorts it. */
export interface OpenLetter extends EventPlace {
  group: string;
  eventId: string;
  /** The topic of the event. */
  topic: string;
  /** The first of its failures, in milliseconds since the epoch. */
  failedAt: number;
  /** Whether it is the end marker of a republication. */
  isEnd: boolean;
  /** Of its newest record. */
  at: { place: string; offset: number; bytes: number };
  /** Its newest record, while there is room for it. */
  record: ReceivedRecord | undefined;
}

/** The bytes of records that are kept in memory at most, beside those of one page. */
const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * The open dead letters of some groups, from the records of the dead letter topics in their order. Of a dead letter whose
 * record does not fit into memory only some 300 bytes are kept.
 */
export class OpenLetters {
  private readonly letters = new Map<string, OpenLetter>();
  private keptBytes = 0;

  constructor(
    private readonly options: {
      /** The event's topic by the name of its dead letter topic on the brokers. */
      topics: ReadonlyMap<string, string>;
      /** The present name of the group that had this name, if its dead letters of the topic are wanted. */
      groupOf(topic: string, name: string): string | undefined;
      /** If set, only this event's are wanted. */
      eventId?: string | undefined;
      keptBytes?: number;
    },
  ) {}

  take({ topic: name, place, offset, record }: PlacedRecord): void {
    const { kind, letter } = readRecord(this.options.topics.get(name)!, record);
    const { eventId, topic } = letter;
    const group = this.options.groupOf(topic, letter.group);
    if (group === undefined || eventId !== (this.options.eventId ?? eventId)) return;
    const id = idOf({ group, eventId });
    const open = this.letters.get(id);
    if (kind === 'again' && !open) return;
    this.keptBytes -= open?.record ? open.at.bytes : 0;
    if (kind === 'resolved') {
      this.letters.delete(id);
      return;
    }
    const bytes = bytesOf(record);
    const isKept = this.keptBytes + bytes <= (this.options.keptBytes ?? KEPT_BYTES);
    this.keptBytes += isKept ? bytes : 0;
    const failedAt = letter.failedAt.getTime();
    this.letters.set(id, {
      ...{ group, eventId, topic, partition: letter.partition, offset: letter.offset },
      failedAt: open ? Math.min(open.failedAt, failedAt) : failedAt,
      isEnd: republishEnd(letter.event) !== undefined,
      at: { place, offset, bytes },
      record: isKept ? record : undefined,
    });
  }

  isOpen(letter: Pick<OpenLetter, 'group' | 'eventId'>): boolean {
    return this.letters.has(idOf(letter));
  }

  /** Those that first failed at `oldest` or later, in the order of replays: end markers of republications come last. */
  inOrder(oldest: number): OpenLetter[] {
    return [...this.letters.values()]
      .filter(({ failedAt }) => !(failedAt < oldest))
      .sort(
        (a, b) =>
          a.topic.localeCompare(b.topic) ||
          Number(a.isEnd) - Number(b.isEnd) ||
          a.partition - b.partition ||
          a.offset - b.offset,
      );
  }
}

/** The whole dead letter, from its record. */
export function wholeLetter({ group, topic, failedAt }: OpenLetter, record: ReceivedRecord): KafkaDeadLetter {
  return { ...readRecord(topic, record).letter, group, failedAt: new Date(failedAt) };
}

const idOf = ({ group, eventId }: Pick<OpenLetter, 'group' | 'eventId'>) => `${group}\n${eventId}`;

const bytesOf = ({ key, value, headers = {} }: ReceivedRecord): number =>
  Object.values(headers).reduce(
    (sum, text) => sum + String(text).length,
    (key?.length ?? 0) + (value?.length ?? 0),
  );
