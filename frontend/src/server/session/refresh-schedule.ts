/** Timings of ACCT-23, all in milliseconds. */
export const EXPIRY_MARGIN = 30_000;
export const PROACTIVE_LEAD = 5 * 60_000;
export const BACKOFF_FIRST = 30_000;
export const BACKOFF_LAST = 16 * 60_000;

/** Whether a token counts as expired: 30 s before `expiresAt`. */
export const isExpired = (expiresAt: number, now: number): boolean => now >= expiresAt - EXPIRY_MARGIN;

/**
 * How long to wait before refreshing a token with this remaining lifetime: until 5 minutes before its end, but at least
 * half of it (a 10-minute token is refreshed after 5 minutes, a 4-minute one after 2).
 */
export const proactiveDelay = (lifetime: number): number => lifetime - Math.min(PROACTIVE_LEAD, lifetime / 2);

/** Wait before the next try after `failures` network errors in a row: 30 s, 1 min, … 16 min. */
export const backoffDelay = (failures: number): number =>
  Math.min(BACKOFF_FIRST * 2 ** Math.max(0, failures - 1), BACKOFF_LAST);
