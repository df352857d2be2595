import { type ICustomPartitioner, type Kafka, type Message, Partitioners, type Producer } from 'kafkajs';
import type { Logger } from 'pino';
import { CLIENT_RETRY } from './kafka-client.js';

export interface OutgoingMessage {
  /** The topic's name on the brokers. */
  topic: string;
  message: Message;
}

interface Publication {
  messages: readonly OutgoingMessage[];
  bytes: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** By default brokers accept 1 MiB per partition and request; a whole request may be for one partition. */
const REQUEST_BYTES = 512 * 1024;
const RECORD_OVERHEAD = 64;

/**
 * Writes to Kafka: acknowledged by all in-sync replicas, idempotent, in the order of the calls. One request runs at a
 * time; the next one sends all messages that were added in the meantime.
 *
 * After any failure the producer is replaced. kafkajs reuses the sequence numbers of a failed request, but the broker may
 * have stored that request: it would then treat another request with the same numbers as a duplicate, and confirm it
 * without writing it.
 */
export class KafkaPublisher {
  private waiting: Publication[] = [];
  private running: Promise<void> | undefined;
  private producer: Producer | undefined;
  private readonly used = new Set<string>();
  private closed = false;

  constructor(
    private readonly kafka: Pick<Kafka, 'producer'>,
    private readonly logger: Logger,
  ) {}

  /** Resolves when all messages are durable. After a rejection some of them may be durable; send all of them again. */
  async publish(messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.closed) throw new Error('The event bus has been stopped');
    if (messages.length === 0) return;
    const pieces = inPieces(messages);
    const sent = pieces.map(
      ({ messages, bytes }) =>
        new Promise<void>((resolve, reject) => this.waiting.push({ messages, bytes, resolve, reject })),
    );
    this.running ??= this.run();
    await Promise.all(sent);
  }

  /** Sends the waiting messages and disconnects. */
  async close(): Promise<void> {
    this.closed = true;
    await this.running;
    await this.discard();
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.takeBatch();
      try {
        await this.send(batch.flatMap(({ messages }) => messages));
        for (const publication of batch) publication.resolve();
      } catch (error) {
        await this.discard();
        // The waiting messages fail too: sent now, they would overtake the failed ones, which are sent again later.
        for (const publication of [...batch, ...this.waiting.splice(0)]) publication.reject(error);
      }
    }
    this.running = undefined;
  }

  private takeBatch(): Publication[] {
    let bytes = 0;
    const end = this.waiting.findIndex((publication, index) => {
      bytes += publication.bytes;
      return index > 0 && bytes > REQUEST_BYTES;
    });
    return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
  }

  private async send(outgoing: readonly OutgoingMessage[]): Promise<void> {
    const producer = await this.connected();
    const byTopic = new Map<string, Message[]>();
    for (const { topic, message } of outgoing) {
      const messages = byTopic.get(topic);
      if (messages) messages.push(message);
      else byTopic.set(topic, [message]);
    }
    this.used.clear();
    const topicMessages = [...byTopic].map(([topic, messages]) => ({ topic, messages }));
    const stored = await producer.sendBatch({ acks: -1, topicMessages });
    // kafkajs sends to each broker only once: it skips a partition that has moved to a broker which answered already.
    for (const { topicName, partition } of stored) this.used.delete(placeOf(topicName, partition));
    if (this.used.size > 0) throw new Error(`Kafka did not confirm ${[...this.used].join(', ')}`);
  }

  private async connected(): Promise<Producer> {
    if (this.producer) return this.producer;
    this.producer = this.kafka.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      maxInFlightRequests: 1,
      retry: CLIENT_RETRY,
      createPartitioner: this.notedPartitioner,
    });
    await this.producer.connect();
    return this.producer;
  }

  /** The default partitioner (by the key's hash, as in every Kafka client), which also records the partitions used. */
  private readonly notedPartitioner: ICustomPartitioner = () => {
    const partitionOf = Partitioners.DefaultPartitioner();
    return (message) => {
      const partition = partitionOf(message);
      this.used.add(placeOf(message.topic, partition));
      return partition;
    };
  };

  private async discard(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    try {
      await producer?.disconnect();
    } catch (error) {
      this.logger.debug({ err: error }, 'a producer could not be disconnected');
    }
  }
}

const placeOf = (topic: string, partition: number) => `${topic}/${partition}`;

/** Splits messages into pieces that fit a request. A single message that does not fit is rejected by Kafka. */
function inPieces(messages: readonly OutgoingMessage[]): { messages: OutgoingMessage[]; bytes: number }[] {
  const pieces: { messages: OutgoingMessage[]; bytes: number }[] = [];
  for (const outgoing of messages) {
    const size = bytesOf(outgoing.message);
    const last = pieces.at(-1);
    if (last && last.bytes + size <= REQUEST_BYTES) {
      last.messages.push(outgoing);
      last.bytes += size;
    } else pieces.push({ messages: [outgoing], bytes: size });
  }
  return pieces;
}

function bytesOf({ key, value, headers }: Message): number {
  const texts = Object.entries(headers ?? {}).flatMap(([name, text]) => [name, String(text)]);
  return [key ?? '', value ?? '', ...texts].reduce((sum, part) => sum + part.length, RECORD_OVERHEAD);
}
