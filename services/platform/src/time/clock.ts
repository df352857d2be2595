/** The current time, injected so that tests can set it. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
