import type { Kafka, Message } from 'kafkajs';
import type { Logger } from 'pino';
import { groupBy } from '../../collections/group-by.js';
import { TopicLane } from './topic-lane.js';

export interface OutgoingMessage {
  /** The topic's name on the brokers. */
  topic: string;
  message: Message;
}

/** Some messages are not known to be durable; all others are. */
export class MessagesFailed extends AggregateError {
  override readonly name = 'MessagesFailed';

  constructor(readonly failures: readonly { message: OutgoingMessage; error: Error }[]) {
    super(
      failures.map(({ error }) => error),
      failures[0]?.error.message,
    );
  }
}

/**
 * Writes to Kafka, each topic by a producer of its own: a topic of which a partition has no leader, or whose broker does not
 * answer, delays no other. See `TopicLane` for what it guarantees within a topic.
 */
export class KafkaPublisher {
  private readonly lanes = new Map<string, TopicLane>();
  private closed = false;

  constructor(
    private readonly kafka: Pick<Kafka, 'producer'>,
    private readonly logger: Logger,
    /** See `TopicLaneOptions`. */
    private readonly requestMs?: number,
  ) {}

  /** Resolves when all messages are durable. Rejects with `MessagesFailed` when the last topic has answered. */
  async publish(messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.closed) throw new Error('The event bus has been stopped');
    const failures = await Promise.all(
      [...groupBy(messages, ({ topic }) => topic)].map(async ([topic, outgoing]) => {
        const errors = await this.lane(topic).send(outgoing.map(({ message }) => message));
        return outgoing.flatMap((message, index) => {
          const error = errors[index];
          return error ? [{ message, error }] : [];
        });
      }),
    );
    const failed = failures.flat();
    if (failed.length > 0) throw new MessagesFailed(failed);
  }

  /** Sends the waiting messages and disconnects. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.lanes.values()].map((lane) => lane.close()));
  }

  private lane(topic: string): TopicLane {
    const { kafka, logger, requestMs } = this;
    const lane = this.lanes.get(topic) ?? new TopicLane(topic, { kafka, logger, requestMs });
    this.lanes.set(topic, lane);
    return lane;
  }
}
