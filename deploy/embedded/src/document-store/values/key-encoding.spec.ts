import { Binary, Double, Int32, Long, ObjectId, UUID } from 'bson';
import fc from 'fast-check';
import { EMPTY_ARRAY } from './bson-values.js';
import { compareValues } from './compare.js';
import { encodeCompoundKey, encodeKey, successor, treePrefix } from './key-encoding.js';

const PREFIX = treePrefix(7);

/** In MongoDB's order, smallest first; values in one list are equal. */
const ORDER: unknown[][] = [
  [EMPTY_ARRAY],
  [null, undefined],
  [NaN, new Double(NaN)],
  [-Infinity],
  [Long.MIN_VALUE],
  [Long.MIN_VALUE.add(1)],
  [-1.5],
  [new Int32(-1), -1, Long.fromNumber(-1)],
  [0, -0, new Int32(0)],
  [Number.MIN_VALUE],
  [2 ** 53, Long.fromBigInt(2n ** 53n)],
  [Long.fromBigInt(2n ** 53n + 1n)],
  [2 ** 53 + 2],
  [Long.fromBigInt(2n ** 60n - 1n)],
  [2 ** 60, Long.fromBigInt(2n ** 60n)],
  [Long.fromBigInt(2n ** 60n + 1n)],
  [Long.MAX_VALUE],
  [2 ** 63],
  [Infinity],
  [''],
  ['\0'],
  ['\0\0'],
  ['\x01'],
  ['a'],
  ['a\0'],
  ['a\x01'],
  ['ab'],
  ['é'],
  ['\uffff'],
  ['😀'],
  [{}],
  [{ a: 1 }],
  [{ a: 1, b: 1 }],
  [{ a: 'text' }],
  [{ b: 'text' }],
  [[]],
  [[1]],
  [[1, 2]],
  [[2]],
  [new Binary(Buffer.from([9]))],
  [new Binary(Buffer.from([1, 0]))],
  [new UUID('00000000-0000-4000-8000-000000000001')],
  [new UUID('00000000-0000-4000-8000-000000000002')],
  [new ObjectId('000000000000000000000001')],
  [new ObjectId('ff0000000000000000000000')],
  [false],
  [true],
  [new Date(-1)],
  [new Date(0)],
  [new Date(1_700_000_000_000)],
];

test('keys and comparison have MongoDB’s order, across all types', () => {
  for (const [at, equals] of ORDER.entries()) {
    for (const a of equals) {
      for (const [other, others] of ORDER.entries()) {
        for (const b of others) {
          const expected = Math.sign(at - other);
          expect([a, b, Buffer.compare(encodeKey(PREFIX, a), encodeKey(PREFIX, b))]).toEqual([
            a,
            b,
            expected,
          ]);
          expect([a, b, Buffer.compare(encodeKey(PREFIX, a, true), encodeKey(PREFIX, b, true))]).toEqual([
            a,
            b,
            expected === 0 ? 0 : -expected,
          ]);
          if (typeof a !== 'symbol' && typeof b !== 'symbol') expect(compareValues(a, b)).toBe(expected);
        }
      }
    }
  }
});

const scalar = fc.oneof(
  fc.double(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.maxSafeInteger(),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 6 }).map((bytes) => new Binary(bytes)),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c\0'), scalar, { maxKeys: 3 }),
);

test('any two values compare as their keys do', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(Buffer.compare(encodeKey(PREFIX, a), encodeKey(PREFIX, b))).toBe(Math.sign(compareValues(a, b)));
    }),
    { numRuns: 2_000 },
  );
});

test('compound keys order by their first difference, each field in its direction', () => {
  fc.assert(
    fc.property(
      fc.tuple(value, value),
      fc.tuple(value, value),
      fc.tuple(fc.boolean(), fc.boolean()),
      (a, b, descending) => {
        const expected = a
          .map((item, at) => compareValues(item, b[at]) * (descending[at] ? -1 : 1))
          .find((order) => order !== 0);
        const actual = Buffer.compare(
          encodeCompoundKey(PREFIX, a, descending),
          encodeCompoundKey(PREFIX, b, descending),
        );
        expect(actual).toBe(Math.sign(expected ?? 0));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('no key is a prefix of another', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [left, right] = [encodeKey(PREFIX, a), encodeKey(PREFIX, b)];
      if (!left.equals(right)) expect(right.subarray(0, left.length).equals(left)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('a successor is above all keys with the prefix and below the next', () => {
  expect(successor(Buffer.from([1, 2]))).toEqual(Buffer.from([1, 3]));
  expect(successor(Buffer.from([1, 0xff, 0xff]))).toEqual(Buffer.from([2]));
});

test('a key beyond lmdb’s limit is refused', () => {
  expect(encodeKey(PREFIX, 'x'.repeat(1_972))).toHaveLength(1_978);
  expect(() => encodeKey(PREFIX, 'x'.repeat(1_973))).toThrow(expect.objectContaining({ code: 17280 }));
});
