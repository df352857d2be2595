import type { Clock } from '../time/clock.js';

/**
 * The version of an aggregate's next state: microseconds since the epoch, but always above `previous`, so that it
 * grows even if the clock stops or goes back. Safe as a JavaScript number until the year 2255.
 */
export function nextVersion(previous: number | undefined, clock: Clock): number {
  return Math.max((previous ?? 0) + 1, clock.now() * 1000);
}
