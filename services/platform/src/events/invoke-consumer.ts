import type { Consumer, EventRecord } from './event-bus.js';
import { republishEnd, republishStart } from './republish.js';

/** Gives an event to its consumer: a state to `handle`, a marker to where the consumer notices it. */
export async function invokeConsumer(consumer: Consumer<unknown>, event: EventRecord): Promise<void> {
  const [start, end] = [republishStart(event), republishEnd(event)];
  if (start) await consumer.republishStarted?.(start);
  else if (end) await consumer.republishEnded?.(end);
  else await consumer.handle(consumer.topic.codec.decode(event.payload), event);
}

export const isMarker = (event: EventRecord): boolean =>
  republishStart(event) !== undefined || republishEnd(event) !== undefined;
