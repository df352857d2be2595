import { DomainError } from '../errors/domain-error.js';
import { isStoreTrouble } from '../errors/store-trouble.js';

export interface RetryPolicy {
  /** Milliseconds before the first retry; doubles from there up to `longestMs`. */
  firstMs: number;
  longestMs: number;
  /** Failures after which an event becomes a dead letter; transient ones (`isTransient`) do not count. */
  attempts: number;
}

export const DEFAULT_RETRY: RetryPolicy = { firstMs: 50, longestMs: 30_000, attempts: 8 };

/** Milliseconds before retry number `failures` (from 1): doubles from `firstMs` up to `longestMs`. */
export function backoffMs(
  failures: number,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs);
}

/**
 * Whether the failure lies in the surroundings (a store is down) and not in the event: such deliveries are retried
 * for ever and never become dead letters, or an outage would bury good events.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof DomainError) return error.kind === 'unavailable' || error.kind === 'deadline-exceeded';
  if (isStoreTrouble(error)) return true;
  return error instanceof Error && error.cause !== undefined && isTransient(error.cause);
}

/** As dead letters keep an error: with its stack, and not longer than anyone reads. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 4_000);
