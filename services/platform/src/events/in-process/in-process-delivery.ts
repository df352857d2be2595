import type { Logger } from 'pino';
import { backoffMs } from '../../time/backoff.js';
import type { Clock } from '../../time/clock.js';
import type { BusMetrics } from '../bus-metrics.js';
import type { DeliveryStore } from './delivery-store.js';
import type { StoredDelivery } from './stored-delivery.js';
import type { Consumer, EventRecord } from '../event-bus.js';
import { invokeConsumer } from '../invoke-consumer.js';
import { republishEnd } from '../republish.js';
import { errorText, isTransient, type RetryPolicy } from '../retry-policy.js';

export interface InProcessDeliveryOptions {
  store: DeliveryStore;
  consumerOf(group: string, topic: string): Consumer<unknown> | undefined;
  metrics: BusMetrics;
  clock: Clock;
  logger: Logger;
  retry: RetryPolicy;
  /** Called when the handler is done, or the group no longer consumes the topic. */
  handled(delivery: StoredDelivery, consumer: Consumer<unknown> | undefined): void;
  /** Called when the delivery has become a dead letter. */
  deadLettered(delivery: StoredDelivery): void;
  /** Called when the delivery failed and could not be stored: its publication has failed, and its outbox publishes it again. */
  abandoned(delivery: StoredDelivery): void;
  again(delivery: StoredDelivery): void;
}

/** Passes events to their handlers, retries failed events, and makes dead letters of events that fail too often. */
export class InProcessDelivery {
  private readonly retries = new Set<NodeJS.Timeout>();
  private closed = false;

  constructor(private readonly options: InProcessDeliveryOptions) {}

  /** One attempt; never rejects. */
  async deliver(delivery: StoredDelivery): Promise<void> {
    const { group, event } = delivery;
    const consumer = this.options.consumerOf(group, event.topic);
    try {
      if (!consumer || (await this.handle(consumer, event))) this.options.handled(delivery, consumer);
      else this.retryAfter(this.options.retry.firstMs, delivery);
    } catch (error) {
      await this.failed(delivery, error);
    }
  }

  /** Stops all retries. */
  close(): void {
    this.closed = true;
    for (const timer of this.retries) clearTimeout(timer);
  }

  /** Returns false if it is too early: an end marker is handled only after all states of its republication. */
  async handle(consumer: Consumer<unknown>, event: EventRecord): Promise<boolean> {
    const { store, metrics, clock, logger, retry } = this.options;
    const end = consumer.republishEnded && republishEnd(event);
    if (end && (await store.isRepublishing(consumer.group, event.topic, end.run))) return false;
    await invokeConsumer(consumer, event, { logger, limitMs: retry.handlerMs });
    metrics.handled(consumer.group, event, clock.now());
    return true;
  }

  private async failed(delivery: StoredDelivery, cause: unknown): Promise<void> {
    const { group, event } = delivery;
    const { store, metrics, logger, retry } = this.options;
    const about = { group, topic: event.topic, event: event.id };
    metrics.failed(group, event.topic);
    if (delivery.flight && !(await delivery.flight.needsRow())) {
      logger.warn({ ...about, err: cause }, 'handling an event failed, it will be published again');
      this.options.abandoned(delivery);
      return;
    }
    delivery.failures = (delivery.failures ?? 0) + 1;
    try {
      if (isTransient(cause, delivery.failures)) {
        logger.warn(
          { ...about, err: cause },
          'handling an event failed for a transient reason, will be retried',
        );
      } else {
        delivery.attempts += 1;
        if (delivery.attempts >= retry.attempts) {
          await store.deadLetter(delivery, delivery.attempts, errorText(cause));
          metrics.deadLettered(group, event.topic);
          logger.error({ ...about, err: cause }, 'an event became a dead letter');
          this.options.deadLettered(delivery);
          return;
        }
        logger.warn({ ...about, err: cause, attempts: delivery.attempts }, 'handling an event failed');
        await store.noteAttempts(delivery, delivery.attempts);
      }
    } catch (error) {
      logger.error({ ...about, err: error }, 'the state of a failed event could not be stored');
    }
    this.retryAfter(backoffMs(delivery.failures, retry), delivery);
  }

  private retryAfter(milliseconds: number, delivery: StoredDelivery): void {
    if (this.closed) return;
    const timer = setTimeout(() => {
      this.retries.delete(timer);
      this.options.again(delivery);
    }, milliseconds);
    this.retries.add(timer);
  }
}
