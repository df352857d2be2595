import { DomainError } from '../errors/domain-error.js';
import type { Backoff } from '../time/backoff.js';
import { isStatementTimeout, isStoreTrouble } from '../errors/store-trouble.js';

export interface RetryPolicy extends Backoff {
  /** Failures after which an event becomes a dead letter; transient ones (`isTransient`) do not count. */
  attempts: number;
  /** Milliseconds after which a handler is given up; then it counts as an overrun (`isTransient`). */
  handlerMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { firstMs: 50, longestMs: 30_000, attempts: 8, handlerMs: 60_000 };

/** Overruns of one delivery that count as transient; see `isTransient`. With their pauses they last some minutes. */
const OVERRUNS_FORGIVEN = 12;

/**
 * Whether the failure, number `failures` of its delivery, is caused by the environment (a store is down) and not by the
 * event. Such deliveries are retried for ever and never become dead letters: an outage must not turn good events into dead
 * letters. Either may be the cause of an overrun: the first overruns are blamed on the environment, later ones on the
 * event, because no event may delay others for ever.
 */
export function isTransient(error: unknown, failures = 1): boolean {
  if (hasOverrun(error)) return failures <= OVERRUNS_FORGIVEN;
  if (error instanceof DomainError) return error.kind === 'unavailable';
  if (isStoreTrouble(error)) return true;
  return error instanceof Error && error.cause !== undefined && isTransient(error.cause, failures);
}

function hasOverrun(error: unknown): boolean {
  return error instanceof DomainError ? error.kind === 'deadline-exceeded' : isStatementTimeout(error);
}

/** The most bytes of an error's text in a dead letter. Its topic takes them in addition to the largest event. */
export const ERROR_BYTES = 4 * 1024;

/** The text of an error in a dead letter: with its stack, and at most ERROR_BYTES in UTF-8. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const bytes = Buffer.from(text.slice(0, ERROR_BYTES)).subarray(0, ERROR_BYTES);
  // Without the part of a character that the cut has left.
  return new TextDecoder().decode(bytes, { stream: true });
}
