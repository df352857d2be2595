import { type ErrorCode, type ErrorKind, kindOf } from '@pulso/contracts/error-codes';
import type { FieldErrorCode } from '@pulso/contracts/field-errors';

/** One invalid field of a request; `path` is dotted (`images.0.alt`). */
export interface FieldError {
  path: string;
  message: string;
  code: FieldErrorCode;
}

export interface DomainErrorDetails {
  errors?: FieldError[];
  /** For `too-many-requests` and `unavailable`: seconds until a retry makes sense. */
  retryAfter?: number;
}

/**
 * An error for the caller: `code` is one of the error codes beside the contracts, which give its kind; `message` is the
 * text of docs/product if docs/product has one. Any other thrown error reaches the caller as `internal`.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  readonly kind: ErrorKind;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: DomainErrorDetails = {},
  ) {
    super(message);
    this.kind = kindOf(code);
  }
}

export const notFound = (message = 'Not found') => new DomainError('not-found', message);

export const permissionDenied = (message = 'You are not allowed to do this.') =>
  new DomainError('permission-denied', message);

export const notAuthenticated = () => new DomainError('not-authenticated', 'Not authenticated');

export const tokenExpired = () =>
  new DomainError('user-token-expired', 'Your session has expired. Please sign in again.');

export const unavailable = (message = 'This part of Pulso is not available right now. Please try again.') =>
  new DomainError('unavailable', message, { retryAfter: 1 });

/** Something was asked of a foreign system, and nobody knows yet whether it has done it; Pulso finds out by itself. */
export const outcomeUnknown = () =>
  new DomainError(
    'outcome-unknown',
    'We do not know yet whether this has worked. Please look again in a few minutes.',
    { retryAfter: 60 },
  );

export const validationFailed = (errors: FieldError[], message = errors[0]?.message ?? 'Invalid input') =>
  new DomainError('validation-failed', message, { errors });
