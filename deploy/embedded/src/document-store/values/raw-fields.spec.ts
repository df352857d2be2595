import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Document,
} from 'bson';
import { decodeDocument, encodeDocument } from './bson-values.js';
import { pickFields } from './raw-fields.js';

const VALUES: Document = {
  _id: new ObjectId('0123456789abcdef01234567'),
  double: new Double(1.5),
  text: 'ж\0😀',
  nested: { text: 'inner', list: [new Int32(1), { deep: null }] },
  list: [new Int32(1), 'two'],
  bytes: new Binary(Buffer.from([1, 0, 2])),
  yes: true,
  at: new Date(5),
  nothing: null,
  int: new Int32(7),
  stamp: new Timestamp({ t: 1, i: 2 }),
  long: Long.fromNumber(9),
  pattern: new BSONRegExp('a.*', 'i'),
  code: new Code('x'),
  scoped: new Code('x', { y: new Int32(1) }),
  decimal: Decimal128.fromString('1.5'),
  least: new MinKey(),
  greatest: new MaxKey(),
  last: 'text',
};

test('picks any field from among all types', () => {
  const raw = encodeDocument(VALUES);
  for (const [name, value] of Object.entries(VALUES)) {
    expect(decodeDocument(pickFields(raw, new Set([name])))).toEqual({ [name]: value as unknown });
  }
  expect(Object.keys(decodeDocument(pickFields(raw, new Set(['long', 'none', 'text']))))).toEqual([
    'text',
    'long',
  ]);
  expect(pickFields(raw, new Set(['none']))).toEqual(encodeDocument({}));
});

test('leaves out any field from among all types', () => {
  const raw = encodeDocument(VALUES);
  for (const name of Object.keys(VALUES)) {
    const { [name]: _, ...rest } = VALUES;
    expect(pickFields(raw, new Set([name]), true)).toEqual(encodeDocument(rest));
  }
});
