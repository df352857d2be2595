import type { Consumer, EventBus, EventRecord } from '../src/events/event-bus.js';
import { invokeConsumer } from '../src/events/invoke-consumer.js';
import { createLogger } from '../src/logging/logger.js';

const logger = createLogger({ service: 'test', level: 'fatal' });

interface Subscribed {
  topic: string;
  deliver: (event: EventRecord) => Promise<void>;
}

/** Has delivered everything when `publish` resolves. */
abstract class UndurableBus implements EventBus {
  readonly consumers: Subscribed[] = [];

  abstract publish(events: readonly EventRecord[]): Promise<void>;

  subscribe<T>(consumer: Consumer<T>): void {
    const deliver = (event: EventRecord) => invokeConsumer(consumer, event, { logger });
    this.consumers.push({ topic: consumer.topic.name, deliver });
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends the subscriptions. */
  stop(): Promise<void> {
    this.consumers.length = 0;
    return Promise.resolve();
  }

  partitions(): Promise<number> {
    return Promise.resolve(1);
  }

  pending(): Promise<number> {
    return Promise.resolve(0);
  }

  delivered(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

/**
 * A bus within one process that has nothing durable: `publish` delivers to all replicas of a service that have joined, and to
 * who has subscribed here. It records all events.
 */
export class DirectBus extends UndurableBus {
  readonly published: EventRecord[] = [];
  /** While true, publishing fails as if the broker were down. */
  down = false;
  /** While true, only the oldest replica gets events, as if it had all partitions of the consumer groups. */
  oneReplica = false;
  private replicas: ReplicaBus[] = [];

  /** The bus of one more replica, until that stops it. */
  join(): EventBus {
    const replica = new ReplicaBus(this, () => {
      this.replicas = this.replicas.filter((one) => one !== replica);
    });
    this.replicas.push(replica);
    return replica;
  }

  async publish(events: readonly EventRecord[]): Promise<void> {
    if (this.down) throw new Error('the bus is down');
    for (const event of events) {
      this.published.push(event);
      const replicas = this.oneReplica ? this.replicas.slice(0, 1) : this.replicas;
      const consumers = [...replicas, this].flatMap((bus) => bus.consumers);
      const concerned = consumers.filter(({ topic }) => topic === event.topic);
      await Promise.all(concerned.map(({ deliver }) => deliver(event)));
    }
  }
}

class ReplicaBus extends UndurableBus {
  constructor(
    private readonly bus: DirectBus,
    private readonly leave: () => void,
  ) {
    super();
  }

  publish(events: readonly EventRecord[]): Promise<void> {
    return this.bus.publish(events);
  }

  override stop(): Promise<void> {
    this.leave();
    return super.stop();
  }
}
