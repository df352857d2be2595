/** The current time, injected so that tests can set it. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
  /** Milliseconds since some moment, for how long something has lasted: unlike `now`, it never goes back. */
  abstract elapsed(): number;
  /** The time of the past to which what runs now is dated back, also where another clock counts; only a seed has one. */
  datedBack?(): number | undefined;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };
