import type { ByteRange } from '@pulso/platform/objects/object-store';
import type { IncomingMessage } from 'node:http';

type Conditional = Pick<IncomingMessage, 'headers'>;

/** Whether the client has this version already (RFC 9110, If-None-Match). */
export function isUnchanged({ headers }: Conditional, etag: string): boolean {
  const given = headers['if-none-match'];
  if (given === undefined) return false;
  return given.trim() === '*' || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** One range: its first and last byte, or either of them; without the first, so many at the end. */
const RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The part of the file that the client asks for (RFC 9110, 14.1.2). Undefined for all of it: without a range, with several or a
 * malformed one, or where If-Range names another version. `size` is not 0.
 */
export function rangeOf(
  { headers }: Conditional,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const [given, condition] = [headers.range, headers['if-range']];
  if (given === undefined || (condition !== undefined && condition !== etag)) return undefined;
  const [, first = '', last = ''] = RANGE.exec(given) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size
    ? 'unsatisfiable'
    : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
