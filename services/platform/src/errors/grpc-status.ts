import { status } from '@grpc/grpc-js';
import type { ErrorKind } from '@pulso/contracts/error-codes';

/** Several kinds share a status, so our clients read the kind from the error's metadata; the status is for others. */
export const GRPC_STATUS: Readonly<Record<ErrorKind, status>> = {
  'invalid-argument': status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  'payment-required': status.FAILED_PRECONDITION,
  'permission-denied': status.PERMISSION_DENIED,
  'not-found': status.NOT_FOUND,
  conflict: status.ALREADY_EXISTS,
  'payload-too-large': status.RESOURCE_EXHAUSTED,
  unprocessable: status.FAILED_PRECONDITION,
  'too-many-requests': status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  'deadline-exceeded': status.DEADLINE_EXCEEDED,
  internal: status.INTERNAL,
};
