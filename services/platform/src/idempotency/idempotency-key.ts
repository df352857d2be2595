import { createHash } from 'node:crypto';
import { DomainError } from '../errors/domain-error.js';

/** How long an Idempotency-Key is remembered (HTTP-13). */
export const IDEMPOTENCY_MS = 24 * 60 * 60_000;

/** The gateway's description of a request that may be repeated. An empty key means that there is none. */
export interface IdempotentRequest {
  key: string;
  /** Method and path. */
  scope: string;
  bodyHash: string;
}

/** The id under which a caller's key of one scope is stored. */
export function idempotencyId(
  callerId: string,
  { scope, key }: Pick<IdempotentRequest, 'scope' | 'key'>,
): string {
  return createHash('sha256')
    .update(JSON.stringify([callerId, scope, key]))
    .digest('base64url');
}

/** The key was used before with another body. */
export function idempotencyKeyReused(): DomainError {
  return new DomainError('idempotency-key-reused', 'This Idempotency-Key was used for another request.');
}

/** The first request with the key has not been answered yet. */
export function idempotencyInProgress(): DomainError {
  return new DomainError(
    'idempotency-in-progress',
    'The first request with this Idempotency-Key is still running.',
  );
}
