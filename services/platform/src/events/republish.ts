import { newIdAt, timeOfId } from '../ids/uuid-v7.js';
import type { EventBus, EventRecord, RepublishEnd, RepublishStart } from './event-bus.js';
import { eventOf, eventRecord, REPUBLICATION_HEADER } from './event-record.js';
import type { Topic } from '@pulso/contracts/topics/topic';

const BATCH = 200;
/** Consumers may have a backlog to handle before they reach the start marker. */
const NOTICE_MS = 5 * 60_000;
/** A projection whose backlog is longer than this when the start marker arrives is not rebuilt. */
const STALE_RUN_MS = 60 * 60_000;
/** How far the clocks of the owner's store and of a consumer's may differ. */
const AHEAD_MS = 10 * 60_000;
/** Logged with the projection and the run. */
export const REFUSED_RUN =
  "a republication does not rebuild the projection: by the clock of this projection's store it began over an hour ago or is " +
  'over 10 minutes ahead, or a later one is known; its states are applied as events and nothing is removed; if the projection ' +
  'is wrong, compare the clocks of both stores, and republish again once consumers have no backlog';
const PARTITION_HEADER = 'pulso-republication-partition';
const PARTITIONS_HEADER = 'pulso-republication-partitions';
/** On end markers only. */
const STATES_HEADER = 'pulso-republication-states';

/**
 * Publishes every current state of a topic again, so that projections are rebuilt. The events are flagged, so that
 * reactions never receive them, and come between a start and an end marker on each of the bus's partitions. `states` is
 * read only after the projections that this process can wait for have handled the start; projections of other processes
 * rely on the order of their partition. `time` is the run's, in ms since the epoch by the clock of the owner's store, since
 * consumers judge it by those of theirs; this machine's unless given. Returns the number of states.
 */
export async function republish<T>(options: {
  topic: Topic<T>;
  states: AsyncIterable<T>;
  bus: Pick<EventBus, 'publish' | 'partitions' | 'delivered'>;
  time?: number;
}): Promise<number> {
  const { topic, states, bus, time = Date.now() } = options;
  const partitions = await bus.partitions(topic.name);
  const run = newIdAt(time);
  const markers = Array.from({ length: partitions }, (_, partition) => ({ run, partition, partitions }));
  const starts = markers.map((start) => startMarker(topic.name, start));
  await bus.publish(starts);
  if (!(await bus.delivered(starts, NOTICE_MS))) {
    throw new Error(`The projections of ${topic.name} have not handled the republication's start in time`);
  }
  let count = 0;
  let batch: EventRecord[] = [];
  for await (const state of states) {
    batch.push(eventOf(topic, state, { republication: run }));
    count += 1;
    if (batch.length < BATCH) continue;
    await bus.publish(batch);
    batch = [];
  }
  const ends = markers.map((marker) => endMarker(topic.name, { ...marker, states: count }));
  await bus.publish([...batch, ...ends]);
  return count;
}

/** The id of the republication that the event belongs to; undefined for an ordinary event. */
export function republicationOf({ headers }: EventRecord): string | undefined {
  return headers[REPUBLICATION_HEADER];
}

/**
 * Whether a republication began too long ago to rebuild from, or in the future; `now` (ms) is the time of the consumer's store.
 * An old start marker is probably read again: the consumer's group is new or lost its position. One of the future would keep
 * out the runs that follow it.
 */
export function isStaleRun(run: string, now: number): boolean {
  const age = now - timeOfId(run);
  return age > STALE_RUN_MS || age < -AHEAD_MS;
}

/** Reads a start marker from `event`; undefined if it is not one. Markers carry no state. */
export function republishStart(event: EventRecord): RepublishStart | undefined {
  return event.headers[STATES_HEADER] === undefined ? markerOf(event) : undefined;
}

/** Reads an end marker from `event`; undefined if it is not one. */
export function republishEnd(event: EventRecord): RepublishEnd | undefined {
  const marker = markerOf(event);
  const states = event.headers[STATES_HEADER];
  return marker && states !== undefined ? { ...marker, states: Number(states) } : undefined;
}

function markerOf(event: EventRecord): RepublishStart | undefined {
  const run = republicationOf(event);
  const partition = event.headers[PARTITION_HEADER];
  if (run === undefined || partition === undefined) return undefined;
  return { run, partition: Number(partition), partitions: Number(event.headers[PARTITIONS_HEADER]) };
}

/** The version is above 0, so that the end marker waits for the start marker as for a state. */
function startMarker(topic: string, start: RepublishStart): EventRecord {
  return marker(topic, `start-of-republication-${start.run}-${start.partition}`, 1, start);
}

function endMarker(topic: string, end: RepublishEnd): EventRecord {
  const record = marker(topic, `end-of-republication-${end.partition}`, 0, end);
  return { ...record, headers: { ...record.headers, [STATES_HEADER]: `${end.states}` } };
}

function marker(
  topic: string,
  key: string,
  version: number,
  { run, partition, partitions }: RepublishStart,
): EventRecord {
  const record = eventRecord({ topic, key, version, payload: new Uint8Array(), republication: run });
  const headers = {
    ...record.headers,
    [PARTITION_HEADER]: `${partition}`,
    [PARTITIONS_HEADER]: `${partitions}`,
  };
  return { ...record, headers, partition };
}
