import { Binary, BSONRegExp, Double, Int32, Long, ObjectId, Timestamp, type Document } from 'bson';
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
};

test('picks any field from among all types', () => {
  const raw = encodeDocument(VALUES);
  for (const [name, value] of Object.entries(VALUES)) {
    expect(decodeDocument(pickFields(raw, new Set([name]))!)).toEqual({ [name]: value as unknown });
  }
  expect(Object.keys(decodeDocument(pickFields(raw, new Set(['long', 'none', 'text']))!))).toEqual([
    'text',
    'long',
  ]);
  expect(pickFields(raw, new Set(['none']))).toEqual(encodeDocument({}));
});

test('gives up on a type it cannot step over, but not before', () => {
  const raw = encodeDocument({ a: 1, pattern: new BSONRegExp('x'), b: 2 });
  expect(pickFields(raw, new Set(['b']))).toBeUndefined();
  expect(decodeDocument(pickFields(raw, new Set(['a']))!)).toEqual({ a: new Int32(1) });
});
