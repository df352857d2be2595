import { createHash, randomInt } from 'node:crypto';
import { v7, validate, version } from 'uuid';

/** Half of the 32 bits, so that the numbers never run out within one millisecond. */
const SEQUENCE_START = 2 ** 31;

/** The nil UUID, which is below every id. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** A new UUIDv7 (RFC 9562): time-ordered, its first 48 bits are milliseconds since the epoch; monotonic in a process. */
export function newId(): string {
  return v7();
}

/** Whether `id` is a canonical lower-case UUIDv7. Any other id cannot exist here, so callers answer `not-found`. */
export function isId(id: string): boolean {
  return validate(id) && version(id) === 7 && id === id.toLowerCase();
}

/** Milliseconds since the epoch, read from the first 48 bits of a UUIDv7. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * The id that `owner` has for something with the id `sourceId`, always the same, with its time; nobody else's can be made to be that
 * one. `sourceId` is a UUIDv7.
 */
export function derivedId(owner: string, sourceId: string): string {
  const random = createHash('sha256').update(`${owner} ${sourceId}`).digest().subarray(0, 16);
  return v7({ msecs: timeOfId(sourceId), random, seq: random.readUInt32BE(6) });
}

let latest = { time: -1, sequence: 0 };

/**
 * A new UUIDv7 of a given time (ms since the epoch), for callers with an injected clock; ascending within one millisecond
 * in a process.
 */
export function newIdAt(time: number): string {
  const sequence = time === latest.time ? latest.sequence + 1 : randomInt(SEQUENCE_START);
  latest = { time, sequence };
  return v7({ msecs: time, seq: sequence });
}
