import type { ConsistencyToken } from '../context/request-context.js';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { StartPoint } from './start-points.js';

/** One event as the bus carries it. */
export interface EventRecord {
  /** Every publication of the same state has the same id; see `eventOf`. */
  id: string;
  topic: string;
  key: string;
  version: number;
  payload: Uint8Array;
  /** CloudEvents attributes (`ce_…`) and `traceparent`. */
  headers: Record<string, string>;
  /** Whether its owner published it again to rebuild projections; reactions never receive such events. */
  republished: boolean;
  /** The partition to publish it to. If unset, the key decides. Markers are published to every partition. */
  partition?: number;
}

/**
 * Announces on one partition that a republication begins. The owner reads the states only after this marker. So the
 * republication includes every change that came before the marker, and later changes come after it.
 */
export interface RepublishStart {
  /** The republication's id; a later one's is greater. */
  run: string;
  partition: number;
  partitions: number;
}

/** Announces that all states of a republication on one partition came before this marker. */
export interface RepublishEnd extends RepublishStart {
  /** The number of republished states on all partitions together. */
  states: number;
}

/**
 * Receives every event of a topic at least once, in no guaranteed order: `handle` must be idempotent by
 * `event.version`. If `handle` throws, the event is retried later; after too many failures it becomes a dead letter.
 */
export interface Consumer<T> {
  /** Names the delivery state; a group may consume several topics, each once. */
  group: string;
  /** Names of the group in earlier versions, the latest first: it takes over their position and their dead letters. */
  formerGroups?: readonly string[];
  topic: Topic<T>;
  /**
   * The consumer has effects that must not be repeated (mail, notifications): its group begins at the end of the topic
   * and says so in the log, it never gets republished events, and no write waits for it.
   */
  reaction?: boolean;
  /** Of reactions: see `StartPoints.keep`. Called before the first event by buses whose brokers may forget a group. */
  keepStart?(offsets: readonly number[]): Promise<StartPoint>;
  handle(state: T, event: EventRecord): Promise<void>;
  /**
   * Called before all events of a republication, once per partition; only rebuildable projections need it. A bus between
   * processes handles later events of the partition only after this call.
   */
  republishStarted?(start: RepublishStart): Promise<void>;
  /** Called after all events of a republication, once per partition; like `handle`, it may be called again. */
  republishEnded?(end: RepublishEnd): Promise<void>;
}

export interface EventBus {
  /**
   * Resolves when the events are durable. Publishing the same id again does nothing. Rejects with `EventsFailed` if it is known
   * which of them are not; after any other rejection none may be.
   */
  publish(events: readonly EventRecord[]): Promise<void>;
  /** Allowed only before `start`. */
  subscribe<T>(consumer: Consumer<T>): void;
  start(): Promise<void>;
  /** Lets running handlers finish and acknowledges their events; other events are delivered at the next start. */
  stop(): Promise<void>;
  /** The number of the topic's partitions; a partition keeps the order of its events. */
  partitions(topic: string): Promise<number>;
  /** The number of outstanding deliveries to this bus's consumers, without dead letters. */
  pending(): Promise<number>;
  /**
   * Whether all projections that this process can wait for have, within `timeoutMs`, handled every token's state or a
   * newer one. May be called before the event is published. A topic without projections counts as delivered at once, and
   * so does every topic on a bus between processes: there `Pulso-After` makes readers wait instead of writers.
   */
  delivered(tokens: readonly ConsistencyToken[], timeoutMs: number): Promise<boolean>;
}

/** An event that a group has failed to handle too often. */
export interface DeadLetter {
  group: string;
  eventId: string;
  topic: string;
  key: string;
  /** Failures that counted. */
  attempts: number;
  /** The newest error with its stack, cut to some KiB. */
  error: string;
  /** When the event became a dead letter. A replay that fails does not change it. */
  failedAt: Date;
}

/** What a replay has done. */
export interface Replay {
  /** The number of dead letters that were given to their handlers. */
  tried: number;
  /** How many of those failed again; they stay dead letters. */
  failed: number;
  /** The first that failed again, with their new errors. */
  named: readonly DeadLetter[];
}

/** How long events are kept on every bus. */
export const EVENTS_KEPT_MS = 7 * 24 * 60 * 60_000;
/** How long dead letters are kept after they became such, however often their replay fails (ACCT-34). */
export const DEAD_LETTERS_KEPT_MS = 30 * 24 * 60 * 60_000;

/** The most dead letters that a bus lists. */
export const DEAD_LETTERS_LISTED = 1_000;

/** A bus with the operator's commands, which work on a bus that was not started, too. Both buses implement it. */
export interface OperableBus extends EventBus {
  /**
   * The first dead letters, at most DEAD_LETTERS_LISTED, of this bus's groups or of one group, or those of one event, in the
   * order in which `replay` delivers them. Letters of a group's former names are its own.
   */
  deadLetters(group?: string, eventId?: string): Promise<DeadLetter[]>;
  /**
   * Delivers the dead letters of this bus's groups or of one group, or those of one event, again to the handlers that failed
   * and to no others. Does not deliver those that another process has discarded or replayed before their turn. Resolves when
   * all have been tried. An event that fails again stays a dead letter with the new error and with its age.
   */
  replay(group?: string, eventId?: string): Promise<Replay>;
  /** Removes a dead letter that will never succeed; resolves to false if there is no such dead letter. */
  discard(group: string, eventId: string): Promise<boolean>;
}
