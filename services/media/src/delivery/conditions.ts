import type { ByteRange } from '@pulso/platform/objects/object-store';
import type { IncomingMessage } from 'node:http';
import parseRange from 'range-parser';

type Conditional = Pick<IncomingMessage, 'headers'>;

/** Whether the client has this version already (RFC 9110, If-None-Match). */
export function isUnchanged({ headers }: Conditional, etag: string): boolean {
  const given = headers['if-none-match'];
  if (given === undefined) return false;
  return given.trim() === '*' || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/**
 * The part of the file that the client asks for. Undefined for all of it: without a range, with several or a malformed one,
 * or where If-Range names another version.
 */
export function rangeOf(
  { headers }: Conditional,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const [given, condition] = [headers.range, headers['if-range']];
  if (given === undefined || (condition !== undefined && condition !== etag)) return undefined;
  const ranges = parseRange(size, given);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
