import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface UntilOptions {
  /**
   * What is waited for, in words that a failed test shows: "the event in the dead letters". A function is called when the
   * wait has failed, and can also say what there was instead.
   */
  what: string | (() => string);
  /** In ms: it only ends what would never hold, and is below Jest's own limit so that the failure says what was missing. */
  limit?: number;
}

const PAUSE_MS = 2;

/**
 * Resolves when `fact` holds: with the first value that it returns which is neither false nor undefined nor null. After
 * the limit it rejects and says what it waited for, and what it saw last. A fact that throws ends the wait.
 */
export async function until<T>(
  fact: () => T | Promise<T>,
  { what, limit = 60_000 }: UntilOptions,
): Promise<Exclude<T, false | null | undefined>> {
  for (const started = performance.now(); ; await delay(PAUSE_MS)) {
    const seen = await fact();
    if (seen !== false && seen !== undefined && seen !== null)
      return seen as Exclude<T, false | null | undefined>;
    if (performance.now() - started > limit)
      throw new Error(`Waited ${limit} ms for ${named(what)}, and last saw ${inspect(seen)}`);
  }
}

const named = (what: UntilOptions['what']) => (typeof what === 'string' ? what : what());
