import { DomainError, validationFailed } from '@pulso/platform/errors/domain-error';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_CURSOR_LENGTH = 2048;
const DIGITS = /^[0-9]{1,3}$/;
const CURSOR = /^[A-Za-z0-9._~-]+$/;

export interface PageQuery {
  limit: number;
  /** Empty: the first page. */
  cursor: string;
}

/** `?limit=` and `?cursor=` of a list; others are ignored. Throws validation-failed and invalid-cursor. */
export function pageQuery(query: unknown): PageQuery {
  const { limit, cursor } = query as { limit?: unknown; cursor?: unknown };
  return { limit: limit === undefined ? DEFAULT_LIMIT : readLimit(limit), cursor: readCursor(cursor) };
}

function readLimit(given: unknown): number {
  const limit = typeof given === 'string' && DIGITS.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw validationFailed([
    { path: 'limit', message: `Must be a whole number from 1 to ${MAX_LIMIT}`, code: 'invalid-value' },
  ]);
}

/** Only the shape: whether it is ours is for the service that sealed it. */
function readCursor(given: unknown): string {
  if (given === undefined) return '';
  if (typeof given === 'string' && given.length <= MAX_CURSOR_LENGTH && CURSOR.test(given)) return given;
  throw new DomainError('invalid-cursor', 'This page link is not valid any more.');
}
