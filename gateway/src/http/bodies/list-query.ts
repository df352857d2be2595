import { MAX_CURSOR_LENGTH, PAGE_SIZE, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { DomainError, validationFailed } from '@pulso/platform/errors/domain-error';

const DIGITS = /^[0-9]{1,3}$/;
const CURSOR = /^[A-Za-z0-9._~-]+$/;

/** The shape of a cursor, for the OpenAPI document. */
export const CURSOR_SCHEMA = { minLength: 1, maxLength: MAX_CURSOR_LENGTH, pattern: CURSOR.source };

export interface ListQuery {
  limit: number;
  /** Empty: the first page. */
  cursor: string;
}

/** `?limit=` and `?cursor=` of a list; others are ignored. Throws validation-failed and invalid-cursor. */
export function listQuery(query: unknown): ListQuery {
  const { limit, cursor } = query as { limit?: unknown; cursor?: unknown };
  return { limit: limit === undefined ? PAGE_SIZE.usual : readLimit(limit), cursor: readCursor(cursor) };
}

/** The `?cursor=` of a call that needs one. Throws validation-failed and invalid-cursor. */
export function cursorQuery(query: unknown): string {
  const { cursor } = query as { cursor?: unknown };
  if (cursor !== undefined) return readCursor(cursor);
  throw validationFailed([
    { path: 'cursor', message: VALIDATION_MESSAGES.required('cursor'), code: 'required' },
  ]);
}

/** A service's cursor as the API answers it: null at the end of the list. */
export const apiCursor = (nextCursor: string): string | null => (nextCursor === '' ? null : nextCursor);

function readLimit(given: unknown): number {
  const limit = typeof given === 'string' && DIGITS.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= PAGE_SIZE.max) return limit;
  throw validationFailed([{ path: 'limit', message: VALIDATION_MESSAGES.pageSize, code: 'out-of-range' }]);
}

/** Only the shape: whether it is ours is for the service that sealed it. */
function readCursor(given: unknown): string {
  if (given === undefined) return '';
  if (typeof given === 'string' && given.length <= MAX_CURSOR_LENGTH && CURSOR.test(given)) return given;
  throw new DomainError('invalid-cursor', 'This page link is not valid any more.');
}
