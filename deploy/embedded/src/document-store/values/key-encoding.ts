import type { Binary, Document, Long, ObjectId } from 'bson';
import { CommandError } from '../rules/command-error.js';
import { bsonTypeOf, RANK, rankOf } from './bson-values.js';

/** lmdb's limit for a key with its default page size. */
export const MAX_KEY_BYTES = 1978;

/**
 * Encodes BSON values so that `Buffer.compare` of the bytes gives MongoDB's order of the values, and no encoding is a
 * prefix of another. So encodings can be concatenated, and inverted for a descending field.
 */
export class KeyWriter {
  private bytes = Buffer.allocUnsafe(256);
  private length = 0;

  reset(): this {
    this.length = 0;
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  value(value: unknown, descending = false): this {
    const start = this.length;
    this.encode(value);
    if (descending) {
      for (let at = start; at < this.length; at++) this.bytes[at] = ~this.bytes[at]! & 0xff;
    }
    return this;
  }

  /** The bytes written so far, valid until the next `reset`. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** A copy of the bytes written so far. @throws KeyTooLong (17280) beyond lmdb's limit. */
  take(): Buffer {
    if (this.length > MAX_KEY_BYTES) {
      throw new CommandError(17280, `index key of ${this.length} bytes, the limit is ${MAX_KEY_BYTES}`);
    }
    return Buffer.from(this.written());
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  private byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  private encode(value: unknown): void {
    const rank = rankOf(value);
    this.byte(rank);
    switch (rank) {
      case RANK.number:
        return this.number(value);
      case RANK.string:
        return this.text(value as string);
      case RANK.object:
        return this.document(value as Document);
      case RANK.array:
        for (const item of value as unknown[]) this.encode(item);
        return this.byte(0);
      case RANK.binary:
        return this.binary(value as Binary);
      case RANK.objectId:
        return void this.raw((value as ObjectId).id);
      case RANK.boolean:
        return this.byte(value ? 1 : 0);
      case RANK.date:
        return this.date(value as Date);
    }
  }

  /**
   * The nearest double in an encoding that sorts its sign, then the difference of a 64-bit integer from it. Rounding
   * is monotonic, so the pair orders integers beyond 2^53 exactly, among themselves and against doubles.
   */
  private number(value: unknown): void {
    const exact = bsonTypeOf(value) === 'Long' ? (value as Long).toBigInt() : undefined;
    const near = exact !== undefined ? Number(exact) : Number((value as { value?: number }).value ?? value);
    const remainder = exact !== undefined ? Number(exact - BigInt(near)) : 0;
    this.reserve(10);
    if (Number.isNaN(near)) {
      this.bytes.fill(0, this.length, this.length + 8);
    } else {
      this.bytes.writeDoubleBE(near === 0 ? 0 : near, this.length);
      const negative = this.bytes[this.length]! >= 0x80;
      if (negative) {
        for (let at = 0; at < 8; at++) this.bytes[this.length + at] = ~this.bytes[this.length + at]! & 0xff;
      } else {
        this.bytes[this.length]! |= 0x80;
      }
    }
    this.bytes.writeUInt16BE(remainder + 0x8000, this.length + 8);
    this.length += 10;
  }

  /** UTF-8 ended by a zero byte; zero and one inside the text are escaped by a one. */
  private text(text: string): void {
    const escaped = text.replaceAll('\x01', '\x01\x02').replaceAll('\0', '\x01\x01');
    this.reserve(escaped.length * 3 + 1);
    this.length += this.bytes.write(escaped, this.length, 'utf8');
    this.byte(0);
  }

  private document(document: Document): void {
    for (const [name, value] of Object.entries(document)) {
      this.byte(rankOf(value));
      this.text(name);
      this.encode(value);
    }
    this.byte(0);
  }

  private binary(binary: Binary): void {
    this.reserve(5);
    this.bytes.writeUInt32BE(binary.position, this.length);
    this.bytes[this.length + 4] = binary.sub_type;
    this.length += 5;
    this.raw(binary.buffer.subarray(0, binary.position));
  }

  private date(date: Date): void {
    this.reserve(8);
    this.bytes.writeBigInt64BE(BigInt(date.getTime()), this.length);
    this.bytes[this.length]! ^= 0x80;
    this.length += 8;
  }
}

const writer = new KeyWriter();

/** The key of one value, after `prefix`. */
export function encodeKey(prefix: Uint8Array, value: unknown, descending = false): Buffer {
  return writer.reset().raw(prefix).value(value, descending).take();
}

/** The key of several values, after `prefix`; `descending[n]` gives the direction of value n. */
export function encodeCompoundKey(prefix: Uint8Array, values: unknown[], descending: boolean[]): Buffer {
  writer.reset().raw(prefix);
  for (const [at, value] of values.entries()) writer.value(value, descending[at]);
  return writer.take();
}

/** The smallest key greater than every key that starts with `prefix`. */
export function successor(prefix: Uint8Array): Buffer {
  const next = Buffer.from(prefix);
  for (let at = next.length - 1; at >= 0; at--) {
    if (next[at]! < 0xff) {
      next[at]!++;
      return next.subarray(0, at + 1);
    }
  }
  throw new Error('a key prefix of 0xff bytes only has no successor');
}

/** The four bytes every key of a tree (a collection's documents, or one index) starts with. */
export function treePrefix(tree: number): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(tree);
  return prefix;
}
