import type { ConsistencyToken } from '../context/request-context.js';
import type { Topic } from '@pulso/contracts/topics/topic';

/** One event as it travels. */
export interface EventRecord {
  /** The same for the same state however often it is published; see `eventOf`. */
  id: string;
  topic: string;
  key: string;
  version: number;
  payload: Uint8Array;
  /** CloudEvents attributes (`ce_…`) and `traceparent`. */
  headers: Record<string, string>;
  /** Published again by its owner for projections to be rebuilt; reactions never see it. */
  republished: boolean;
  /** Where to publish it when that is not for the key to decide: markers go to every partition. */
  partition?: number;
}

/**
 * Says on one partition that a republication begins. Nothing of it has been read by its owner yet: what a partition's
 * consumers have handled before this is in it, and what changes while it is read comes after this.
 */
export interface RepublishStart {
  /** The republication's id; a later one's is greater. */
  run: string;
  partition: number;
  partitions: number;
}

/** Says that everything of one republication before it has arrived on one partition. */
export interface RepublishEnd extends RepublishStart {
  /** How many states it had, on all partitions together. */
  states: number;
}

/**
 * Receives every event of a topic at least once, in no promised order: `handle` must be idempotent by
 * `event.version`. Throwing means "again later"; after too many failures the event becomes a dead letter.
 */
export interface Consumer<T> {
  /** Names the delivery state; a group may consume several topics, each once. */
  group: string;
  topic: Topic<T>;
  /** Acts on the world outside (mail, pushes): never gets republished events, and no write waits for it. */
  reaction?: boolean;
  handle(state: T, event: EventRecord): Promise<void>;
  /**
   * Called before all events of a republication, once a partition; only projections that can be rebuilt care. A bus
   * between processes handles nothing that follows a start on its partition before the start itself.
   */
  republishStarted?(start: RepublishStart): Promise<void>;
  /** Called after all its events, once a partition; as `handle`, possibly again. */
  republishEnded?(end: RepublishEnd): Promise<void>;
}

export interface EventBus {
  /** Resolves when the events are durable. Publishing the same id again does nothing. */
  publish(events: readonly EventRecord[]): Promise<void>;
  /** Only before `start`. */
  subscribe<T>(consumer: Consumer<T>): void;
  start(): Promise<void>;
  /** Lets running handlers finish and acknowledges them; the rest is delivered at the next start. */
  stop(): Promise<void>;
  /** In how many partitions the topic's events travel; within one, their order is kept. */
  partitions(topic: string): Promise<number>;
  /** How many deliveries to this bus's consumers are outstanding; dead letters are not. */
  pending(): Promise<number>;
  /**
   * Whether, within `timeoutMs`, every mark's state or a newer one has been handled by all projections of its topic
   * that this process can wait for. May be called before the event is published. Topics without projections are delivered
   * at once, and so are all on a bus between processes: there `Pulso-After` makes readers wait instead of writers.
   */
  delivered(marks: readonly ConsistencyToken[], timeoutMs: number): Promise<boolean>;
}

/** An event that a group has given up on. */
export interface DeadLetter {
  group: string;
  eventId: string;
  topic: string;
  key: string;
  /** Failures that counted. */
  attempts: number;
  /** With its stack. */
  error: string;
  failedAt: Date;
}

/** Dead letters are forgotten so long after their last failure. Events are kept for 7 days. */
export const DEAD_LETTERS_KEPT_MS = 30 * 24 * 60 * 60_000;

/** What an operator does with a bus; the same on all of them. */
export interface OperableBus extends EventBus {
  /** What this bus's groups, or one of them, have given up on, in the order in which `replay` delivers it. */
  deadLetters(group?: string): Promise<DeadLetter[]>;
  /**
   * Gives the group's dead letters, or one of them, once more to the handler that failed and to no other. Resolves when
   * they have been tried, and answers how many there were; what fails again is a dead letter again.
   */
  replay(group: string, eventId?: string): Promise<number>;
  /** Forgets a dead letter that will never succeed; false when there is none of that name. */
  discard(group: string, eventId: string): Promise<boolean>;
}
