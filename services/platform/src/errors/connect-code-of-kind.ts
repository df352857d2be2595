import type { ErrorKind } from '@pulso/contracts/error-codes';
import type { ConnectCode } from './connect-code.js';

/** Several kinds share a code, so our clients read the kind from the error's metadata; the code is for others. */
export const CONNECT_CODE: Readonly<Record<ErrorKind, ConnectCode>> = {
  'invalid-argument': 'invalid_argument',
  unauthenticated: 'unauthenticated',
  'payment-required': 'failed_precondition',
  'permission-denied': 'permission_denied',
  'not-found': 'not_found',
  conflict: 'already_exists',
  'payload-too-large': 'resource_exhausted',
  unprocessable: 'failed_precondition',
  'too-many-requests': 'resource_exhausted',
  unavailable: 'unavailable',
  'deadline-exceeded': 'deadline_exceeded',
  internal: 'internal',
};
