import { RANK } from './bson-values.js';

/** The place of a value that its key does not tell: numbers lose their BSON type, and null may be a missing field. */
export const UNTOLD = Symbol('untold');

/** The bytes of an encoded value after its rank, for the types of fixed size. */
const FIXED_SIZES: Readonly<Record<number, number>> = {
  [RANK.emptyArray]: 0,
  [RANK.null]: 0,
  [RANK.number]: 10,
  [RANK.objectId]: 12,
};

/**
 * The first values of a compound key after a prefix of `from` bytes, as many as `descending` has, which gives the direction of
 * each. Undefined if the key does not tell where one of them ends.
 */
export function decodeCompoundKey(
  key: Uint8Array,
  from: number,
  descending: readonly boolean[],
): unknown[] | undefined {
  const values: unknown[] = [];
  let at = from;
  for (const inverted of descending) {
    const read = readValue(key, at, inverted ? 0xff : 0);
    if (!read) return undefined;
    values.push(read.value);
    at = read.end;
  }
  return values;
}

/** The inverse of `KeyWriter.encode`; `mask` inverts the bytes of descending fields. */
function readValue(key: Uint8Array, at: number, mask: number): { value: unknown; end: number } | undefined {
  const rank = key[at]! ^ mask;
  const start = at + 1;
  switch (rank) {
    case RANK.string:
      return readText(key, start, mask);
    case RANK.boolean:
      return { value: (key[start]! ^ mask) === 1, end: start + 1 };
    case RANK.date: {
      const bytes = Buffer.from(key.subarray(start, start + 8).map((byte) => byte ^ mask));
      bytes[0]! ^= 0x80;
      return { value: new Date(Number(bytes.readBigInt64BE())), end: start + 8 };
    }
    default: {
      const size = FIXED_SIZES[rank];
      return size === undefined ? undefined : { value: UNTOLD, end: start + size };
    }
  }
}

/** UTF-8 up to a zero byte, in which a one escapes the byte after it. */
function readText(key: Uint8Array, start: number, mask: number): { value: string; end: number } {
  const end = key.indexOf(mask, start);
  const text = Buffer.alloc(end - start);
  let length = 0;
  for (let at = start; at < end; at += 1) {
    const byte = key[at]! ^ mask;
    text[length++] = byte === 1 ? (key[(at += 1)]! ^ mask) - 1 : byte;
  }
  return { value: text.toString('utf8', 0, length), end: end + 1 };
}
