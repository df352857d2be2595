import type { WriteMark } from '@pulso/platform/context/request-context';
import type { Consumer, EventBus, EventRecord } from '@pulso/platform/events/event-bus';
import { republishEnd, republishStart } from '@pulso/platform/events/republish';

/** A bus of one process without durability: delivers inside `publish`, and remembers all that was published. */
export class TestBus implements EventBus {
  readonly published: EventRecord[] = [];
  /** While true, publishing fails as if the broker were away. */
  down = false;
  private readonly consumers: { topic: string; deliver: (event: EventRecord) => Promise<void> }[] = [];

  async publish(events: readonly EventRecord[]): Promise<void> {
    if (this.down) throw new Error('the bus is down');
    for (const event of events) {
      this.published.push(event);
      const receivers = this.consumers.filter(({ topic }) => topic === event.topic);
      await Promise.all(receivers.map(({ deliver }) => deliver(event)));
    }
  }

  subscribe<T>(consumer: Consumer<T>): void {
    const { topic } = consumer;
    const deliver = async (event: EventRecord) => {
      const [start, end] = [republishStart(event), republishEnd(event)];
      if (start) await consumer.republishStarted?.(start);
      else if (end) await consumer.republishEnded?.(end);
      else await consumer.handle(topic.codec.decode(event.payload), event);
    };
    this.consumers.push({ topic: topic.name, deliver });
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

  settled(_marks: readonly WriteMark[]): Promise<boolean> {
    return Promise.resolve(true);
  }
}
