import type { Idempotency } from '@pulso/contracts/common/v1/common';
import { createHash } from 'node:crypto';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import type { FastifyRequest } from 'fastify';

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * The request's `Idempotency-Key` (HTTP-13) bound to method, path and validated body; undefined when none was sent.
 * The service binds it to the caller. Throws validation-failed.
 */
export function idempotencyOf(request: FastifyRequest, body: unknown): Idempotency | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !PRINTABLE.test(key)) {
    throw validationFailed([
      { path: 'Idempotency-Key', message: 'Must be 1 to 255 printable characters', code: 'invalid-value' },
    ]);
  }
  return { key, scope: `${request.method} ${pathOf(request.url)}`, bodyHash: hashOf(body) };
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function hashOf(body: unknown): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}

/** JSON with sorted names, so that the order a client writes them in does not matter. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
