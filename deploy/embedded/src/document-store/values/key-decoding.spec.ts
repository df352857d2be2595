import { Binary, Long, ObjectId } from 'bson';
import fc from 'fast-check';
import { EMPTY_ARRAY } from './bson-values.js';
import { decodeCompoundKey, UNTOLD } from './key-decoding.js';
import { encodeCompoundKey, treePrefix } from './key-encoding.js';

const PREFIX = treePrefix(7);

const told = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', '\0', '\x01', '\x01\0\x02', '😀'),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
);
const untold = fc.oneof(
  fc.double(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.constantFrom(null, undefined, EMPTY_ARRAY, new ObjectId('0123456789abcdef01234567')),
);

test('a key tells its texts, booleans and dates, whatever is between them', () => {
  const field = fc.record({ value: fc.oneof(told, untold), descending: fc.boolean() });
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 5 }), fc.nat(4), (fields, left) => {
      const [values, descending] = [fields.map(({ value }) => value), fields.map((each) => each.descending)];
      const key = encodeCompoundKey(PREFIX, values, descending);
      const asked = descending.slice(0, Math.max(1, fields.length - left));
      const expected = values
        .slice(0, asked.length)
        .map((value) =>
          typeof value === 'string' || typeof value === 'boolean' || value instanceof Date ? value : UNTOLD,
        );
      expect(decodeCompoundKey(key, PREFIX.length, asked)).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

test.each([[{ a: 1 }], [[1, 2]], [new Binary(Buffer.from([9]))]])(
  'a key with %j is not read beyond it',
  (value) => {
    const key = encodeCompoundKey(PREFIX, ['a', value, 'b'], [false, false, false]);
    expect(decodeCompoundKey(key, PREFIX.length, [false])).toEqual(['a']);
    expect(decodeCompoundKey(key, PREFIX.length, [false, false, false])).toBeUndefined();
  },
);
