import type { Topic } from '@pulso/contracts/topics/topic';
import type { EventRecord, RepublishEnd, RepublishStart } from './event-bus.js';

/** A readable copy of a topic's states; the topic may be the service's own or another's. */
export interface ReadModel<T = unknown> {
  readonly topic: Topic<T>;
  /** The version that the model holds for a key; undefined if it holds none. */
  versionOf(key: string): Promise<number | undefined>;
}

/**
 * A service's copy of another service's states. `apply` is called with every event of the topic, possibly more than once
 * and in any order, and must be idempotent by version; see `Consumer.handle`.
 */
export interface Projection<T = unknown> extends ReadModel<T> {
  /** The part of the consumer group's name after the service's name; the topic's entity unless given. */
  readonly name?: string;
  /** Resolves to true if reads of this process now show the state or a newer one; to false if that is not known. */
  apply(state: T, event: EventRecord): Promise<boolean>;
  republishStarted?(start: RepublishStart): Promise<void>;
  republishEnded?(end: RepublishEnd): Promise<void>;
}

/**
 * An action of a service in response to another service's event: mail, notifications. It has its own consumer group,
 * which begins at the end of the topic when the reaction is new, and never receives republished events. Like a projection
 * it gets every later event at least once, in any order, and not every version: its effect has a unique key that names the
 * target and never the event, and stores the version that it follows from.
 */
export interface Reaction<T = unknown> {
  /** The part of the consumer group's name after the service's name. */
  readonly name: string;
  readonly topic: Topic<T>;
  handle(state: T, event: EventRecord): Promise<void>;
}
