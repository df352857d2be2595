import { isTransient } from './api-error.js';

/** In ms. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * The wait in ms after `failures` failures in a row: 1 s, 2 s, … 30 s, of which a random half is left out, so that many
 * clients do not come back together.
 */
export function retryWait(failures: number, random = Math.random): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LONGEST_WAIT_MS);
  return wait * (1 - random() / 2);
}

/** Resolves after `ms`, earlier when the network or the user is back, or when it is over. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') end();
    };
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      document.removeEventListener('visibilitychange', onVisible);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    document.addEventListener('visibilitychange', onVisible);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** Calls until it succeeds, is refused for good, or `signal`; again at once when the network or the user is back. */
export async function untilDone(call: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      await call();
      return;
    } catch (error) {
      if (!isTransient(error)) return;
    }
    await pause(retryWait(failures), signal);
  }
}
