/** The bytes of a BSON value by type, for the types of fixed size. */
const FIXED_SIZES: Record<number, number> = {
  0x01: 8, // double
  0x06: 0, // undefined
  0x07: 12, // ObjectId
  0x08: 1, // boolean
  0x09: 8, // date
  0x0a: 0, // null
  0x10: 4, // int32
  0x11: 8, // timestamp
  0x12: 8, // int64
  0x13: 16, // decimal128
  0x7f: 0, // max key
  0xff: 0, // min key
};

/**
 * The BSON document with only the named top-level fields of another, in its order, or with `leaveOut` all except
 * these. Copies the fields that a filter or a projection needs without decoding the rest.
 */
export function pickFields(raw: Buffer, names: ReadonlySet<string>, leaveOut = false): Buffer {
  const parts: Buffer[] = [];
  let size = 5;
  let missing = leaveOut ? Infinity : names.size;
  const end = raw.length - 1;
  for (let at = 4; at < end && missing > 0;) {
    const nameEnd = raw.indexOf(0, at + 1);
    const next = nameEnd + 1 + valueSize(raw, raw[at]!, nameEnd + 1);
    if (names.has(raw.toString('utf8', at + 1, nameEnd)) !== leaveOut) {
      parts.push(raw.subarray(at, next));
      size += next - at;
      missing--;
    }
    at = next;
  }
  const picked = Buffer.allocUnsafe(size);
  picked.writeInt32LE(size, 0);
  let at = 4;
  for (const part of parts) at += part.copy(picked, at);
  picked[at] = 0;
  return picked;
}

function valueSize(raw: Buffer, type: number, at: number): number {
  switch (type) {
    case 0x02: // string, code, symbol: length before the bytes
    case 0x0d:
    case 0x0e:
      return 4 + raw.readInt32LE(at);
    case 0x03: // document, array, code with scope: length includes itself
    case 0x04:
    case 0x0f:
      return raw.readInt32LE(at);
    case 0x05: // binary: length, subtype, bytes
      return 5 + raw.readInt32LE(at);
    case 0x0b: // regular expression: pattern, options
      return raw.indexOf(0, raw.indexOf(0, at) + 1) + 1 - at;
    case 0x0c: // DBPointer: name, ObjectId
      return 16 + raw.readInt32LE(at);
    default: {
      const size = FIXED_SIZES[type];
      if (size === undefined) throw new Error(`a document holds a value of unknown BSON type ${type}`);
      return size;
    }
  }
}
