/**
 * What went wrong, independent of transport. `grpc-status.ts` and `http-status.ts` map every kind, without a default:
 * a new kind does not compile until both say what it means.
 */
export type ErrorKind =
  | 'invalid-argument'
  | 'unauthenticated'
  | 'payment-required'
  | 'permission-denied'
  | 'not-found'
  | 'conflict'
  | 'payload-too-large'
  | 'unprocessable'
  | 'too-many-requests'
  | 'unavailable'
  | 'deadline-exceeded'
  | 'internal';

/** One invalid field of a request; `path` is dotted (`images.0.alt`), `code` stable kebab-case. */
export interface FieldError {
  path: string;
  message: string;
  code: string;
}

export interface DomainErrorDetails {
  errors?: FieldError[];
  /** For `too-many-requests` and `unavailable`: seconds until a retry makes sense. */
  retryAfter?: number;
}

/**
 * An error that a caller is meant to see: `code` is stable kebab-case (http-api.md, Conventions), `message` the text
 * of the product's error catalogue where it has one. Everything else that is thrown answers as `internal`.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    readonly details: DomainErrorDetails = {},
  ) {
    super(message);
  }
}

export const notFound = (message = 'Not found') => new DomainError('not-found', 'not-found', message);

export const permissionDenied = (message = 'You are not allowed to do this.') =>
  new DomainError('permission-denied', 'permission-denied', message);

export const notAuthenticated = () =>
  new DomainError('unauthenticated', 'not-authenticated', 'Not authenticated');

export const tokenExpired = () =>
  new DomainError('unauthenticated', 'user-token-expired', 'Your session has expired. Please sign in again.');

export const unavailable = (message = 'This part of Pulso is not available right now. Please try again.') =>
  new DomainError('unavailable', 'unavailable', message, { retryAfter: 1 });

export const validationFailed = (errors: FieldError[], message = errors[0]?.message ?? 'Invalid input') =>
  new DomainError('invalid-argument', 'validation-failed', message, { errors });
