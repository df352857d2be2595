/** The time, injected so that tests can fix it. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
