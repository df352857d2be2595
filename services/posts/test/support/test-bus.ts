import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import type { Consumer, EventBus, EventRecord } from '@pulso/platform/events/event-bus';
import { invokeConsumer } from '@pulso/platform/events/invoke-consumer';
import { createLogger } from '@pulso/platform/logging/logger';

const logger = createLogger({ service: 'posts-test', level: 'fatal' });

interface Subscribed {
  topic: string;
  deliver: (event: EventRecord) => Promise<void>;
}

/** A bus of one process without durability: delivers inside `publish`, and records all published events. */
export class TestBus implements EventBus {
  readonly published: EventRecord[] = [];
  /** While true, publishing fails as if the broker were down. */
  down = false;
  /** While true, only the first replica gets events, as in one consumer group. */
  oneReplica = false;
  private consumers: Subscribed[] = [];

  async publish(events: readonly EventRecord[]): Promise<void> {
    if (this.down) throw new Error('the bus is down');
    for (const event of events) {
      this.published.push(event);
      const all = this.consumers.filter(({ topic }) => topic === event.topic);
      const receivers = this.oneReplica ? all.slice(0, 1) : all;
      await Promise.all(receivers.map(({ deliver }) => deliver(event)));
    }
  }

  subscribe<T>(consumer: Consumer<T>): void {
    const { topic } = consumer;
    const deliver = (event: EventRecord) => invokeConsumer(consumer, event, { logger });
    this.consumers.push({ topic: topic.name, deliver });
  }

  /**
   * Runs `start` and returns a function that removes its subscriptions, because a stopped replica gets no more
   * events.
   */
  async leavable<T>(start: () => Promise<T>): Promise<{ started: T; leave: () => void }> {
    const before = this.consumers.length;
    const started = await start();
    const mine = new Set(this.consumers.slice(before));
    return { started, leave: () => (this.consumers = this.consumers.filter((one) => !mine.has(one))) };
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  partitions(): Promise<number> {
    return Promise.resolve(1);
  }

  pending(): Promise<number> {
    return Promise.resolve(0);
  }

  delivered(_tokens: readonly ConsistencyToken[]): Promise<boolean> {
    return Promise.resolve(true);
  }
}
