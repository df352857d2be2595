import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for `work`, for `milliseconds` at most. Resolves to whether it has ended by then; rejects if it rejects in time. What it
 * does later is its caller's: `within` is for work whose lateness is an error.
 */
export async function orAfter(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const ended = new AbortController();
  const over = delay(milliseconds, false, { signal: ended.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), over]);
  } finally {
    ended.abort();
  }
}
