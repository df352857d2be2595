import type { OperableBus } from '../../src/events/event-bus.js';
import type { RetryPolicy } from '../../src/events/retry-policy.js';
import type { Clock } from '../../src/time/clock.js';
import type { Recorder } from './recorder.js';

/** A store of events with several buses; each bus represents one run of the process. It closes when its test ends. */
export interface BusFixture {
  bus(consumers: Recorder[], retry?: Partial<RetryPolicy>, clock?: Clock): Promise<OperableBus>;
}

export const QUICK = { firstMs: 1, longestMs: 4, attempts: 3, handlerMs: 60_000 };
