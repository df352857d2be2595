import { numberOf, RANK, rankOf } from './bson-values.js';
import { KeyWriter } from './key-encoding.js';

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

/** By code point, like MongoDB's bytewise order; JavaScript's `<` compares UTF-16 units. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

const writers = [new KeyWriter(), new KeyWriter()] as const;

/**
 * MongoDB's total order of values. Values other than plain scalars are compared by their index keys.
 * @throws BadValue (2)
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
    case RANK.boolean:
      return Number(a) - Number(b);
    case RANK.date:
      return Math.sign((a as Date).getTime() - (b as Date).getTime());
    default:
      return Buffer.compare(writers[0].reset().value(a).written(), writers[1].reset().value(b).written());
  }
}

export function valuesEqual(a: unknown, b: unknown): boolean {
  return compareValues(a, b) === 0;
}
