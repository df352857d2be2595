import type { ErrorKind } from '@pulso/contracts/error-codes';

/** The HTTP status of every kind (HTTP-14). */
export const HTTP_STATUS: Readonly<Record<ErrorKind, number>> = {
  'invalid-argument': 400,
  unauthenticated: 401,
  'payment-required': 402,
  'permission-denied': 403,
  'not-found': 404,
  conflict: 409,
  'payload-too-large': 413,
  unprocessable: 422,
  'too-many-requests': 429,
  unavailable: 503,
  'deadline-exceeded': 503,
  internal: 500,
};
