import { deserialize, serialize, type Binary, type Document, type Long, type ObjectId } from 'bson';
import { badValue } from '../rules/command-error.js';

/**
 * Documents are decoded with every number in its BSON wrapper (Int32, Double, Long): what an update does not touch is
 * written back with the type it had.
 */
const EXACT_TYPES = {
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: false,
  bsonRegExp: true,
} as const;

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

export function decodeDocument(raw: Uint8Array): Document {
  return deserialize(raw, EXACT_TYPES);
}

/** Decodes a command, leaving the named array or document fields as raw BSON. */
export function decodeCommand(raw: Uint8Array, rawFields: Record<string, boolean>): Document {
  return deserialize(raw, { ...EXACT_TYPES, fieldsAsRaw: rawFields });
}

export function encodeDocument(document: Document): Buffer {
  const bytes = serialize(document);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** MongoDB's order between types; also the first byte of a value in an index key. */
export const RANK = {
  emptyArray: 0x03,
  null: 0x05,
  number: 0x0a,
  string: 0x0f,
  object: 0x14,
  array: 0x19,
  binary: 0x1e,
  objectId: 0x23,
  boolean: 0x28,
  date: 0x2d,
} as const;

const RANK_OF_BSON_TYPE: Record<string, number> = {
  Int32: RANK.number,
  Double: RANK.number,
  Long: RANK.number,
  ObjectId: RANK.objectId,
  Binary: RANK.binary,
};

export function bsonTypeOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null
    ? (value as { _bsontype?: string })._bsontype
    : undefined;
}

/** Stands for an empty array in an index: apart from null, below it. */
export const EMPTY_ARRAY = Symbol('empty array');

/**
 * The rank of a value's type. Types without one (regular expressions, Decimal128, timestamps, …) are stored as they
 * come, but not compared.
 * @throws BadValue (2)
 */
export function rankOf(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return RANK.null;
    case 'number':
      return RANK.number;
    case 'string':
      return RANK.string;
    case 'boolean':
      return RANK.boolean;
    case 'symbol':
      return RANK.emptyArray;
    default: {
      if (value === null) return RANK.null;
      if (Array.isArray(value)) return RANK.array;
      if (value instanceof Date) return RANK.date;
      const type = bsonTypeOf(value);
      if (type === undefined) return RANK.object;
      const rank = RANK_OF_BSON_TYPE[type];
      if (rank === undefined) throw badValue(`${type} values cannot be compared or indexed by this server`);
      return rank;
    }
  }
}

export function isDocument(value: unknown): value is Document {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    bsonTypeOf(value) === undefined
  );
}

/** A number as bigint when it is a 64-bit integer beyond 2^53, else as number. */
export function numberOf(value: unknown): number | bigint {
  if (typeof value === 'number') return value;
  const type = bsonTypeOf(value);
  if (type === 'Int32' || type === 'Double') return (value as { value: number }).value;
  const long = value as Long;
  const near = long.toNumber();
  return Number.isSafeInteger(near) ? near : long.toBigInt();
}

export function isNumber(value: unknown): boolean {
  const type = bsonTypeOf(value);
  return typeof value === 'number' || type === 'Int32' || type === 'Double' || type === 'Long';
}

export function isNaNNumber(value: unknown): boolean {
  return isNumber(value) && Number.isNaN(numberOf(value));
}

/** What MongoDB takes as true: anything but false, null, zero and a missing value. @throws BadValue (2) */
export function truthy(value: unknown): boolean {
  const rank = rankOf(value);
  return rank === RANK.number ? Number(numberOf(value)) !== 0 : rank !== RANK.null && value !== false;
}

/** `-1 | 0 | 1` by value across Int32, Double and Long, exact beyond 2^53; NaN is below every number. */
function compareNumbers(left: unknown, right: unknown): number {
  const a = numberOf(left);
  const b = numberOf(right);
  if (a < b) return -1;
  if (a > b) return 1;
  // Equal, or NaN on some side; a bigint and a number are never `===`.
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

const SURROGATE = /[\ud800-\udfff]/;

/** By code point, as MongoDB's bytewise order; JavaScript's `<` goes by UTF-16 unit. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

function compareBinaries(a: Binary, b: Binary): number {
  const byLength = a.position - b.position || a.sub_type - b.sub_type;
  return byLength !== 0
    ? Math.sign(byLength)
    : Buffer.compare(a.buffer.subarray(0, a.position), b.buffer.subarray(0, b.position));
}

function compareDocuments(a: Document, b: Document): number {
  const left = Object.entries(a);
  const right = Object.entries(b);
  for (const [at, [name, value]] of left.entries()) {
    const other = right[at];
    if (!other) return 1;
    const difference =
      Math.sign(rankOf(value) - rankOf(other[1])) ||
      compareStrings(name, other[0]) ||
      compareValues(value, other[1]);
    if (difference !== 0) return difference;
  }
  return left.length < right.length ? -1 : 0;
}

function compareArrays(a: unknown[], b: unknown[]): number {
  for (const [at, value] of a.entries()) {
    if (at >= b.length) return 1;
    const difference = compareValues(value, b[at]);
    if (difference !== 0) return difference;
  }
  return a.length < b.length ? -1 : 0;
}

/**
 * MongoDB's total order of values; the order of encoded index keys is this same one (key-encoding.ts).
 * @throws BadValue (2), as `rankOf`
 */
export function compareValues(a: unknown, b: unknown): number {
  const rank = rankOf(a);
  const byType = rank - rankOf(b);
  if (byType !== 0) return Math.sign(byType);
  switch (rank) {
    case RANK.number:
      return compareNumbers(a, b);
    case RANK.string:
      return compareStrings(a as string, b as string);
    case RANK.object:
      return compareDocuments(a as Document, b as Document);
    case RANK.array:
      return compareArrays(a as unknown[], b as unknown[]);
    case RANK.binary:
      return compareBinaries(a as Binary, b as Binary);
    case RANK.objectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case RANK.boolean:
      return Number(a) - Number(b);
    case RANK.date:
      return Math.sign((a as Date).getTime() - (b as Date).getTime());
    default:
      return 0;
  }
}

export function valuesEqual(a: unknown, b: unknown): boolean {
  return compareValues(a, b) === 0;
}
