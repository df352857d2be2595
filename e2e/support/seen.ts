import type { ApiClient } from './api-client.js';
import { timed } from './end-of.js';
import { waitFor } from './wait-for.js';

/** Longer than any event takes on a busy machine. */
export const ARRIVED_MS = 60_000;
/** The maximum delay for other users. */
const SEEN_BY_ALL_MS = 1_000;
/** How long a service waits for the writes it is sent (HTTP-3). */
const WAITED_MS = 500;

/** The answer that others get to see: it is wanted within a second on a machine that has processor time to spare. */
export async function seenByAll<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const { result, late } = await timed(SEEN_BY_ALL_MS, () => waitFor(ask, isWanted, ARRIVED_MS));
  if (late) throw new Error(`Others saw it later than after ${SEEN_BY_ALL_MS} ms: ${JSON.stringify(result)}`);
  return result;
}

/**
 * The first answer after a write of one's own: it is wanted at once. On a busy machine a service may answer what is there
 * after it has waited (HTTP-3); only then is it asked again.
 */
export async function seenByAuthor<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const { result, took, late } = await timed(WAITED_MS, ask);
  if (isWanted(result) || took < WAITED_MS || late) return result;
  return waitFor(ask, isWanted, ARRIVED_MS);
}

/** The answer that refuses a session which has ended, and whether that came later than allowed: after 5 s (ACCT-21). */
export const refusalOf = (ended: ApiClient) =>
  timed(5_000, () =>
    waitFor(
      () => ended.get('/api/me'),
      ({ status }) => status === 401,
      ARRIVED_MS,
    ),
  );
