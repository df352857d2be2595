import { deserialize, Int32, Long, serialize, type Document } from 'bson';
import { badValue } from '../rules/command-error.js';

/**
 * Documents are decoded with every number in its BSON wrapper (Int32, Double, Long), so that fields which an update
 * does not touch keep their type.
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

/** The value of an empty array in an index: different from null, and below it. */
export const EMPTY_ARRAY = Symbol('empty array');

/**
 * The rank of a value's type. Values of other types (regular expressions, Decimal128, timestamps, …) are stored
 * unchanged, but not compared.
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
  const near = (value as Long).toNumber();
  return Number.isSafeInteger(near) ? near : (value as Long).toBigInt();
}

export function isNumber(value: unknown): boolean {
  const type = bsonTypeOf(value);
  return typeof value === 'number' || type === 'Int32' || type === 'Double' || type === 'Long';
}

/** An integer in its BSON type: 32 bits if it fits and `wide` is false, else 64; undefined when it does not fit. */
export function encodeInteger(value: bigint, wide: boolean): Int32 | Long | undefined {
  if (!wide && BigInt.asIntN(32, value) === value) return new Int32(Number(value));
  return BigInt.asIntN(64, value) === value ? Long.fromBigInt(value) : undefined;
}

export function isNaNNumber(value: unknown): boolean {
  return isNumber(value) && Number.isNaN(numberOf(value));
}

/** MongoDB's rule for true: any value except false, null, zero and a missing value. @throws BadValue (2) */
export function truthy(value: unknown): boolean {
  const rank = rankOf(value);
  return rank === RANK.number ? Number(numberOf(value)) !== 0 : rank !== RANK.null && value !== false;
}
