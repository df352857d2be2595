import type { EventRecord } from './event-bus.js';
import type { Topic } from '@pulso/contracts/topics/topic';

export interface EncodedState {
  topic: string;
  key: string;
  version: number;
  payload: Uint8Array;
  traceparent?: string | null;
  /** The republication's id, if the state is published again for rebuilds. */
  republication?: string;
}

/**
 * The event of an encoded state. Its id is derived from topic, key and version: a relay that publishes a state again
 * after a crash uses the same id, and buses that remember ids drop the duplicate.
 */
export function eventRecord(state: EncodedState): EventRecord {
  const { topic, key, version, payload, traceparent, republication } = state;
  const id = `${topic}/${key}/${version}${republication ? `/${republication}` : ''}`;
  return {
    id,
    topic,
    key,
    version,
    payload,
    headers: {
      ce_specversion: '1.0',
      ce_id: id,
      ce_source: topic.split('.').slice(0, 2).join('.'),
      ce_type: topic,
      ...(traceparent ? { traceparent } : {}),
      ...(republication ? { [REPUBLICATION_HEADER]: republication } : {}),
    },
    republished: republication !== undefined,
  };
}

export const REPUBLICATION_HEADER = 'pulso-republication';

/** The event that carries `state` on `topic`. */
export function eventOf<T>(
  topic: Topic<T>,
  state: T,
  extra: Pick<EncodedState, 'traceparent' | 'republication'> = {},
): EventRecord {
  return eventRecord({
    topic: topic.name,
    key: topic.keyOf(state),
    version: topic.versionOf(state),
    payload: topic.codec.encode(state),
    ...extra,
  });
}
