import { inSpan } from '../telemetry/tracing.js';
import type { Consumer, EventRecord } from './event-bus.js';
import { republishEnd, republishStart } from './republish.js';

/** Passes an event to its consumer: a state to `handle`, a marker to `republishStarted` or `republishEnded`. */
export async function invokeConsumer(consumer: Consumer<unknown>, event: EventRecord): Promise<void> {
  const [start, end] = [republishStart(event), republishEnd(event)];
  if (start) await consumer.republishStarted?.(start);
  else if (end) await consumer.republishEnded?.(end);
  else {
    const name = `${consumer.group} process`;
    const attributes = {
      'messaging.destination.name': event.topic,
      'messaging.consumer.group.name': consumer.group,
    };
    await inSpan({ name, kind: 'consumer', parent: event.headers['traceparent'], attributes }, async () => {
      await consumer.handle(consumer.topic.codec.decode(event.payload), event);
    });
  }
}

export const isMarker = (event: EventRecord): boolean =>
  republishStart(event) !== undefined || republishEnd(event) !== undefined;
