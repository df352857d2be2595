import { createHash } from 'node:crypto';
import { DomainError } from '../errors/domain-error.js';

/** How long an Idempotency-Key is remembered (http-api.md, Conventions). */
export const IDEMPOTENCY_MS = 24 * 60 * 60_000;

/** What a caller's key of one scope is filed under. */
export function idempotencyId(callerId: string, { scope, key }: { scope: string; key: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([callerId, scope, key]))
    .digest('base64url');
}

/** The key came before with another body. */
export function idempotencyKeyReused(): DomainError {
  return new DomainError('idempotency-key-reused', 'This Idempotency-Key was used for another request.');
}
