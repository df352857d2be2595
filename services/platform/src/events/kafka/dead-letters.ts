import type { Admin, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Clock } from '../../time/clock.js';
import { DEAD_LETTERS_KEPT_MS, DEAD_LETTERS_LISTED, type DeadLetter } from '../event-bus.js';
import {
  type EventPlace,
  type KafkaDeadLetter,
  type NewDeadLetter,
  toLetterMessage,
  toResolvedMessage,
} from './dead-letter-record.js';
import type { KafkaPublisher } from './kafka-publisher.js';
import type { ReceivedRecord } from './kafka-record.js';
import { type OpenLetter, OpenLetters, wholeLetter } from './open-letters.js';
import { deadLetterTopic } from './topic-table.js';
import { TopicReader, type TopicReaderOptions } from './topic-reader.js';

export interface DeadLettersOptions {
  kafka: Pick<Kafka, 'admin' | 'consumer'>;
  publisher: Pick<KafkaPublisher, 'publish'>;
  prefix: string;
  clock: Clock;
  logger: Logger;
  /** How many dead letters are read at once. */
  pageSize?: number;
  /** The bytes of records that are kept in memory while all are read. */
  keptBytes?: number;
  registry?: Registry;
}

/** Which dead letters are wanted. */
export interface LetterSelection {
  topics: readonly string[];
  /** The present name of the group that had this name, if its dead letters of the topic are wanted. */
  groupOf(topic: string, name: string): string | undefined;
  eventId?: string | undefined;
}

const PAGE = 500;
/** A page ends early when its records have this many bytes. */
const PAGE_BYTES = 16 * 1024 * 1024;

/**
 * The events that consumers have failed to handle too often. Each topic has a topic of its dead letters, which hold the
 * unchanged event, with the failure in headers. Records are only added: another record says that a dead letter was
 * handled or discarded, or, with the same event, that it failed again and why.
 */
export class DeadLetters {
  constructor(private readonly options: DeadLettersOptions) {}

  async deadLetter(letter: NewDeadLetter): Promise<void> {
    await this.add(letter.event.topic, toLetterMessage(letter, { again: false }));
  }

  /** Stores the error of a replay. Does nothing if the dead letter has been resolved meanwhile. */
  async failedAgain(letter: NewDeadLetter): Promise<void> {
    await this.add(letter.event.topic, toLetterMessage(letter, { again: true }));
  }

  async resolve(letter: Pick<KafkaDeadLetter, 'group' | 'event'>): Promise<void> {
    await this.add(letter.event.topic, toResolvedMessage(letter));
  }

  /**
   * The first open dead letters, at most DEAD_LETTERS_LISTED, in the order in which they can be replayed. Kafka removes
   * records in whole segments, so somewhat later than DEAD_LETTERS_KEPT_MS.
   */
  async list(selection: LetterSelection): Promise<(DeadLetter & EventPlace)[]> {
    const listed: (DeadLetter & EventPlace)[] = [];
    for await (const letter of this.read(selection, async () => true)) {
      const { event: _, ...rest } = letter;
      listed.push(rest);
      if (listed.length === DEAD_LETTERS_LISTED) break;
    }
    return listed;
  }

  /** The open dead letters, in the order of `list`, each of which is still open when it is given out. */
  async *open(selection: LetterSelection): AsyncGenerator<KafkaDeadLetter> {
    yield* this.read(selection, async (letter, { letters, reader }) => {
      await reader.catchUp();
      return letters.isOpen(letter);
    });
  }

  private async *read(
    { topics, groupOf, eventId }: LetterSelection,
    isWanted: (letter: OpenLetter, reading: Reading) => Promise<boolean>,
  ): AsyncGenerator<KafkaDeadLetter> {
    const { kafka, clock, pageSize = PAGE, keptBytes } = this.options;
    const sources = new Map(topics.map((topic) => [this.nameOf(topic), topic]));
    const admin = kafka.admin();
    await admin.connect();
    const letters = new OpenLetters({ topics: sources, groupOf, eventId, keptBytes });
    const reader = this.reader(admin, {
      topics: [...sources.keys()],
      take: (record) => letters.take(record),
    });
    try {
      await reader.catchUp();
      const all = letters.inOrder(clock.now() - DEAD_LETTERS_KEPT_MS);
      for (let from = 0; from < all.length;) {
        const page = pageOf(all, from, pageSize);
        from += page.length;
        const records = await this.recordsOf(page, admin);
        for (const letter of page) {
          const record = letter.record ?? records.get(letter);
          // Retention may have removed it.
          if (record && (await isWanted(letter, { letters, reader }))) yield wholeLetter(letter, record);
        }
      }
    } finally {
      await reader.close();
      await admin.disconnect();
    }
  }

  /** The records of those letters that are not in memory. */
  private async recordsOf(
    page: readonly OpenLetter[],
    admin: Admin,
  ): Promise<Map<OpenLetter, ReceivedRecord>> {
    const found = new Map<OpenLetter, ReceivedRecord>();
    const missing = page.filter(({ record }) => !record);
    if (missing.length === 0) return found;
    const wanted = new Map(missing.map((letter) => [recordName(letter.at), letter]));
    const [from, ends] = [new Map<string, number>(), new Map<string, number>()];
    for (const { at } of missing) {
      from.set(at.place, Math.min(from.get(at.place) ?? Infinity, at.offset));
      ends.set(at.place, Math.max(ends.get(at.place) ?? 0, at.offset + 1));
    }
    const reader = this.reader(admin, {
      topics: [...new Set(missing.map(({ topic }) => this.nameOf(topic)))],
      from,
      take({ place, offset, record }) {
        const letter = wanted.get(recordName({ place, offset }));
        if (letter) found.set(letter, record);
      },
    });
    try {
      await reader.reach(ends);
    } finally {
      await reader.close();
    }
    return found;
  }

  private reader(admin: Admin, options: Pick<TopicReaderOptions, 'topics' | 'from' | 'take'>): TopicReader {
    const { kafka, prefix, logger, registry } = this.options;
    return new TopicReader({ kafka, admin, prefix, logger, registry, ...options });
  }

  private add(topic: string, message: ReturnType<typeof toLetterMessage>): Promise<void> {
    return this.options.publisher.publish([{ topic: this.nameOf(topic), message }]);
  }

  private nameOf(topic: string): string {
    return this.options.prefix + deadLetterTopic(topic);
  }
}

interface Reading {
  letters: OpenLetters;
  reader: TopicReader;
}

function pageOf(letters: readonly OpenLetter[], from: number, size: number): OpenLetter[] {
  const page: OpenLetter[] = [];
  for (let bytes = 0; page.length < size && from + page.length < letters.length;) {
    const letter = letters[from + page.length]!;
    bytes += letter.at.bytes;
    if (page.length > 0 && bytes > PAGE_BYTES) break;
    page.push(letter);
  }
  return page;
}

const recordName = ({ place, offset }: { place: string; offset: number }) => `${place}@${offset}`;
