import { newId } from '../ids/uuid-v7.js';
import type { EventBus, EventRecord, RepublishEnd } from './event-bus.js';
import { eventOf, eventRecord, REPUBLICATION_HEADER } from './event-record.js';
import type { Topic } from './topic.js';

const BATCH = 200;
const PARTITION_HEADER = 'pulso-republication-partition';
const PARTITIONS_HEADER = 'pulso-republication-partitions';

/**
 * Publishes every current state of a topic again, for projections to be rebuilt: flagged, so that reactions never see
 * them, and followed by an end marker for each of the bus's partitions. Answers how many states there were.
 */
export async function republish<T>(options: {
  topic: Topic<T>;
  states: AsyncIterable<T>;
  bus: Pick<EventBus, 'publish'>;
  partitions?: number;
}): Promise<number> {
  const { topic, states, bus, partitions = 1 } = options;
  const republication = newId();
  let count = 0;
  let batch: EventRecord[] = [];
  for await (const state of states) {
    batch.push(eventOf(topic, state, { republication }));
    count += 1;
    if (batch.length < BATCH) continue;
    await bus.publish(batch);
    batch = [];
  }
  const ends = Array.from({ length: partitions }, (_, partition) =>
    endMarker(topic.name, { run: republication, partition, partitions }),
  );
  await bus.publish([...batch, ...ends]);
  return count;
}

/** The end marker that `event` is, if it is one; markers carry no state. */
export function republishEnd({ headers }: EventRecord): RepublishEnd | undefined {
  const run = headers[REPUBLICATION_HEADER];
  if (run === undefined || headers[PARTITION_HEADER] === undefined) return undefined;
  return {
    run,
    partition: Number(headers[PARTITION_HEADER]),
    partitions: Number(headers[PARTITIONS_HEADER]),
  };
}

function endMarker(topic: string, { run, partition, partitions }: RepublishEnd): EventRecord {
  const marker = eventRecord({
    topic,
    key: `end-of-republication-${partition}`,
    version: 0,
    payload: new Uint8Array(),
    republication: run,
  });
  const headers = {
    ...marker.headers,
    [PARTITION_HEADER]: `${partition}`,
    [PARTITIONS_HEADER]: `${partitions}`,
  };
  return { ...marker, headers };
}
