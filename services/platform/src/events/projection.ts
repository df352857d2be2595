import type { Topic } from '@pulso/contracts/topics/topic';
import type { EventRecord, RepublishEnd, RepublishStart } from './event-bus.js';

/** What a process shows of a topic's states, its own service's or another's. */
export interface ReadModel<T = unknown> {
  readonly topic: Topic<T>;
  /** The version shown for a key; undefined while there is none. */
  versionOf(key: string): Promise<number | undefined>;
}

/**
 * What a service keeps of another's states. `apply` is called with every event of the topic, more than once and in any
 * order, and must be idempotent by version; see `Consumer.handle`.
 */
export interface Projection<T = unknown> extends ReadModel<T> {
  apply(state: T, event: EventRecord): Promise<void>;
  republishStarted?(start: RepublishStart): Promise<void>;
  republishEnded?(end: RepublishEnd): Promise<void>;
}

/**
 * What a service does because of another's event: mail, notifications. It has a consumer group of its own that is never
 * reset, and never sees republished events.
 */
export interface Reaction<T = unknown> {
  /** Names the consumer group, after the service's name. */
  readonly name: string;
  readonly topic: Topic<T>;
  handle(state: T, event: EventRecord): Promise<void>;
}
