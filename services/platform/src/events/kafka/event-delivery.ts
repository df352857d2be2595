import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { backoffMs } from '../../time/backoff.js';
import type { Clock } from '../../time/clock.js';
import type { BusMetrics } from '../bus-metrics.js';
import { invokeConsumer } from '../invoke-consumer.js';
import { errorText, isTransient, type RetryPolicy } from '../retry-policy.js';
import type { DeadLetters } from './dead-letters.js';
import type { KafkaDelivery } from './group-generation.js';
import { assertOurs } from './kafka-record.js';

export interface EventDeliveryOptions {
  /** The group's name in metrics and dead letters. */
  group: string;
  deadLetters: Pick<DeadLetters, 'deadLetter'>;
  metrics: BusMetrics;
  clock: Clock;
  logger: Logger;
  retry: RetryPolicy;
}

/** How many handled ids are cached to drop duplicates: a relay that publishes an event again does so within seconds. */
const REMEMBERED_IDS = 10_000;

/** Passes events to their handlers, retries failed events, and writes events that fail too often to the dead letters. */
export class EventDelivery {
  private readonly handledIds = new LRUCache<string, true>({ max: REMEMBERED_IDS });

  /** `commit` requests a commit of the changed offsets. */
  constructor(
    private readonly options: EventDeliveryOptions,
    private readonly commit: () => Promise<void>,
  ) {}

  /** One attempt; never rejects. */
  async deliver(delivery: KafkaDelivery): Promise<void> {
    const { event, consumer } = delivery;
    try {
      if (!this.handledIds.has(event.id)) {
        assertOurs(event);
        const { logger, retry } = this.options;
        await invokeConsumer(consumer, event, { logger, limitMs: retry.handlerMs });
        this.handledIds.set(event.id, true);
        this.options.metrics.handled(this.options.group, event, this.options.clock.now());
      }
      this.dealtWith(delivery);
    } catch (error) {
      await this.failed(delivery, error);
    }
    delivery.tried();
  }

  private dealtWith(delivery: KafkaDelivery): void {
    delivery.generation.queue.release(delivery);
    delivery.progress.done(delivery.offset);
    // The end of a batch does not commit a retried event.
    if (delivery.failures > 0) void this.commit();
  }

  private async failed(delivery: KafkaDelivery, cause: unknown): Promise<void> {
    const { event, generation, progress, offset } = delivery;
    const { group, metrics, logger, retry } = this.options;
    const about = { topic: event.topic, event: event.id };
    metrics.failed(group, event.topic);
    delivery.failures += 1;
    if (isTransient(cause, delivery.failures)) {
      logger.warn(
        { ...about, err: cause },
        'handling an event failed for a transient reason, will be retried',
      );
    } else {
      delivery.attempts += 1;
      progress.noteFailures(offset, delivery.attempts);
      logger.warn({ ...about, err: cause, attempts: delivery.attempts }, 'handling an event failed');
      if (delivery.attempts >= retry.attempts && (await this.deadLetter(delivery, cause)))
        return this.dealtWith(delivery);
      void this.commit();
    }
    generation.after(backoffMs(delivery.failures, retry), () => generation.queue.retry(delivery));
  }

  /** Returns whether the dead letter was written. If not, the offset is not committed and the event is retried. */
  private async deadLetter(delivery: KafkaDelivery, cause: unknown): Promise<boolean> {
    const { event, partition, offset, attempts } = delivery;
    const { group, deadLetters, metrics, clock, logger } = this.options;
    const about = { topic: event.topic, event: event.id };
    const letter = { group, partition, offset, attempts, event };
    try {
      await deadLetters.deadLetter({ ...letter, error: errorText(cause), failedAt: new Date(clock.now()) });
    } catch (error) {
      logger.error({ ...about, err: error }, 'a dead letter could not be written, will be retried');
      return false;
    }
    metrics.deadLettered(group, event.topic);
    logger.error({ ...about, err: cause }, 'an event became a dead letter');
    return true;
  }
}
