import type { Logger } from '../logging/logger.js';
import { inSpan } from '../telemetry/tracing.js';
import { within } from '../time/within.js';
import type { Consumer, EventRecord } from './event-bus.js';
import { republishEnd, republishStart } from './republish.js';
import { DEFAULT_RETRY } from './retry-policy.js';

export interface InvokeOptions {
  logger: Pick<Logger, 'warn'>;
  /** Milliseconds for `handle`, far above what stores take: who needs longer waits for something that does not come. */
  limitMs?: number;
}

/**
 * Passes an event to its consumer: a state to `handle`, a marker to `republishStarted` or `republishEnded`, which read whole
 * tables and have no limit. A `handle` that takes too long rejects with a DomainError `deadline-exceeded`: it would hold its
 * key, and on Kafka its partition, for ever. What it still does is harmless, because consumers are idempotent.
 */
export async function invokeConsumer(
  consumer: Consumer<unknown>,
  event: EventRecord,
  { logger, limitMs = DEFAULT_RETRY.handlerMs }: InvokeOptions,
): Promise<void> {
  const [start, end] = [republishStart(event), republishEnd(event)];
  if (start) await consumer.republishStarted?.(start);
  else if (end) await consumer.republishEnded?.(end);
  else {
    const about = { group: consumer.group, topic: event.topic, event: event.id };
    await within(
      limitMs,
      `the handler of ${consumer.group}`,
      () => handled(consumer, event),
      (err) => logger.warn({ ...about, err }, 'a handler that was given up has failed'),
    );
  }
}

function handled(consumer: Consumer<unknown>, event: EventRecord): Promise<void> {
  const name = `${consumer.group} process`;
  const attributes = {
    'messaging.destination.name': event.topic,
    'messaging.consumer.group.name': consumer.group,
  };
  return inSpan({ name, kind: 'consumer', parent: event.headers['traceparent'], attributes }, async () => {
    await consumer.handle(consumer.topic.codec.decode(event.payload), event);
  });
}

export const isMarker = (event: EventRecord): boolean =>
  republishStart(event) !== undefined || republishEnd(event) !== undefined;
