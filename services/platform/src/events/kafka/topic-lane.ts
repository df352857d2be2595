import kafkajs, { type ICustomPartitioner, type Kafka, type Message, type Producer } from 'kafkajs';
import type { Logger } from 'pino';
import { orAfter } from '../../time/or-after.js';
import { EventTooLarge, TopicUnavailable } from '../publish-errors.js';
import { CLIENT_RETRY } from './kafka-client.js';

// kafkajs is CommonJS, and Node does not detect these as named exports.
const { KafkaJSNonRetriableError, Partitioners } = kafkajs;

export interface TopicLaneOptions {
  kafka: Pick<Kafka, 'producer'>;
  logger: Logger;
  /** Milliseconds that connecting and one request may take together. */
  requestMs?: number;
}

interface Waiting {
  message: Message;
  bytes: number;
  /** Without an error the message is durable. */
  settle(error?: Error): void;
}

/** A producer with what is known of its last request. */
interface Connection {
  producer: Producer;
  /** The partitions that the request uses and that have not confirmed it. */
  used: Set<number>;
  connected: Promise<void> | undefined;
  givenUp: boolean;
}

/** By default brokers accept 1 MiB per partition and request; a whole request may be for one partition. */
const REQUEST_BYTES = 512 * 1024;
const RECORD_OVERHEAD = 64;
const REQUEST_MS = 30_000;
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

/**
 * Writes to one topic: acknowledged by all in-sync replicas, idempotent, in the order of the calls. One request runs at a
 * time; the next one sends all messages that were added in the meantime.
 *
 * After any failure the producer is replaced. kafkajs reuses the sequence numbers of a failed request, but the broker may
 * have stored that request: it would then treat another request with the same numbers as a duplicate, and confirm it
 * without writing it.
 */
export class TopicLane {
  private waiting: Waiting[] = [];
  private running: Promise<void> | undefined;
  private connection: Connection | undefined;

  constructor(
    private readonly topic: string,
    private readonly options: TopicLaneOptions,
  ) {}

  /** Resolves to an error for each message that is not known to be durable: `EventTooLarge` or `TopicUnavailable`. */
  async send(messages: readonly Message[]): Promise<(Error | undefined)[]> {
    const settled = messages.map(
      (message) =>
        new Promise<Error | undefined>((settle) =>
          this.waiting.push({ message, bytes: bytesOf(message), settle }),
        ),
    );
    this.running ??= this.run();
    return Promise.all(settled);
  }

  /** Sends the waiting messages and disconnects. */
  async close(): Promise<void> {
    await this.running;
    await this.discard();
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.takeBatch();
      try {
        await this.deliver(batch);
      } catch (cause) {
        const error = new TopicUnavailable(cause);
        // The waiting messages fail too: sent now, they would overtake the failed ones, which are sent again later.
        for (const { settle } of [...batch, ...this.waiting.splice(0)]) settle(error);
      }
    }
    this.running = undefined;
  }

  /** As many messages as fit a request, at least one. */
  private takeBatch(): Waiting[] {
    let bytes = 0;
    const end = this.waiting.findIndex((waiting, index) => {
      bytes += waiting.bytes;
      return index > 0 && bytes > REQUEST_BYTES;
    });
    return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
  }

  /** Rejects if the topic takes no messages; those that were settled before stay so. */
  private async deliver(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.request(batch.map(({ message }) => message));
    } catch (error) {
      await this.discard();
      if (!isTooLarge(error)) throw error;
      if (batch.length === 1) return batch[0]!.settle(new EventTooLarge(error));
      // Kafka does not say which one it is. What it has stored is stored twice.
      const middle = Math.ceil(batch.length / 2);
      await this.deliver(batch.slice(0, middle));
      return this.deliver(batch.slice(middle));
    }
    for (const { settle } of batch) settle();
  }

  private async request(messages: Message[]): Promise<void> {
    const connection = (this.connection ??= this.open());
    const { requestMs = REQUEST_MS } = this.options;
    const sending = this.sendBy(connection, messages);
    if (await orAfter(requestMs, sending)) return;
    this.giveUp(connection, sending);
    throw new Error(`no answer of the brokers for ${requestMs} ms`);
  }

  private async sendBy(connection: Connection, messages: Message[]): Promise<void> {
    const { producer, used } = connection;
    connection.connected ??= producer.connect();
    await connection.connected;
    used.clear();
    const stored = await producer.sendBatch({ acks: -1, topicMessages: [{ topic: this.topic, messages }] });
    // kafkajs sends to each broker only once: it skips a partition that has moved to a broker which answered already.
    for (const { partition } of stored) used.delete(partition);
    if (used.size === 0) return;
    const places = [...used].map((partition) => `${this.topic}/${partition}`);
    throw new Error(`Kafka did not confirm ${places.join(', ')}`);
  }

  private open(): Connection {
    const used = new Set<number>();
    /** The default partitioner (by the key's hash, as in every Kafka client), which also records the partitions used. */
    const createPartitioner: ICustomPartitioner = () => {
      const partitionOf = Partitioners.DefaultPartitioner();
      return (message) => {
        // kafkajs calls it before each attempt: this ends the attempts of a request that was given up.
        if (connection.givenUp) throw new KafkaJSNonRetriableError('the request was given up');
        const partition = partitionOf(message);
        used.add(partition);
        return partition;
      };
    };
    const producer = this.options.kafka.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      maxInFlightRequests: 1,
      retry: CLIENT_RETRY,
      createPartitioner,
    });
    const connection: Connection = { producer, used, connected: undefined, givenUp: false };
    return connection;
  }

  /** Does not wait: kafkajs waits for the brokers before it disconnects, and may connect again after that. */
  private giveUp(connection: Connection, sending: Promise<void>): void {
    connection.givenUp = true;
    this.connection = undefined;
    void this.disconnect(connection);
    sending
      .catch((error: unknown) => this.options.logger.debug({ err: error }, 'a late request has ended'))
      .finally(() => void this.disconnect(connection));
  }

  private async discard(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    if (connection) await this.disconnect(connection);
  }

  private async disconnect({ producer }: Connection): Promise<void> {
    try {
      await producer.disconnect();
    } catch (error) {
      this.options.logger.debug({ err: error }, 'a producer could not be disconnected');
    }
  }
}

/** kafkajs wraps what brokers answer. */
function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('type' in error && TOO_LARGE.has(String(error.type))) || isTooLarge(error.cause);
}

function bytesOf({ key, value, headers }: Message): number {
  const texts = Object.entries(headers ?? {}).flatMap(([name, text]) => [name, String(text)]);
  return [key ?? '', value ?? '', ...texts].reduce((sum, part) => sum + part.length, RECORD_OVERHEAD);
}
