import type { EventBus } from '../../src/events/event-bus.js';
import type { RetryPolicy } from '../../src/events/retry-policy.js';
import type { Recorder } from './recorder.js';

export interface OperableBus extends EventBus {
  deadLetters(group?: string): Promise<{ group: string; eventId: string; attempts: number; error: string }[]>;
  replay(group: string, eventId?: string): Promise<number>;
}

/** A store of events with as many buses on it as a test wants, each standing for one run of the process. */
export interface BusHouse {
  bus(consumers: Recorder[], retry?: Partial<RetryPolicy>): Promise<OperableBus>;
  close(): Promise<void>;
}

export const QUICK = { firstMs: 1, longestMs: 4, attempts: 3 };
