import { isNaNNumber, RANK, rankOf } from '../values/bson-values.js';
import { compareValues, valuesEqual } from '../values/compare.js';
import { encodeKey, successor } from '../values/key-encoding.js';
import type { FieldTest, Filter, RangeTest } from './filter-parser.js';

/** The bounds that the conditions of a filter give for one path. */
export interface FieldBounds {
  /** Each is one value the field may have; an equality has one, `$in` several. */
  points?: unknown[];
  lower?: { value: unknown; inclusive: boolean };
  upper?: { value: unknown; inclusive: boolean };
  /** Some condition requires that the field is present and not null. */
  present: boolean;
  /** The index alone decides these conditions, unless an array is involved. */
  exact: boolean;
  /** The conditions that these bounds cover; the others are left to the predicate. */
  used: FieldTest[];
}

export function boundsByPath(filter: Filter): Map<string, FieldBounds> {
  const bounds = new Map<string, FieldBounds>();
  for (const { path, test } of filter) {
    let field = bounds.get(path);
    if (!field) bounds.set(path, (field = { present: false, exact: true, used: [] }));
    narrow(field, test);
  }
  return bounds;
}

function narrow(field: FieldBounds, test: FieldTest): void {
  switch (test.op) {
    case 'eq':
      return narrowToPoints(field, test, [test.value]);
    case 'in':
      return narrowToPoints(field, test, distinct(test.values));
    case 'exists':
      // Indexes contain null for a missing field: the predicate has to distinguish them.
      field.exact = false;
      field.present ||= test.exists;
      return;
    case 'ne':
    case 'nin':
      field.exact = false;
      return;
    default:
      return narrowRange(field, test);
  }
}

function distinct(values: unknown[]): unknown[] {
  return values
    .toSorted(compareValues)
    .filter((value, at, sorted) => at === 0 || !valuesEqual(value, sorted[at - 1]));
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

function narrowToPoints(field: FieldBounds, test: FieldTest, values: unknown[]): void {
  // An index contains the elements of an array, not the array.
  if (field.points || values.some(Array.isArray)) {
    field.exact = false;
    return;
  }
  field.points = values;
  field.used.push(test);
  if (values.some(isNull)) field.exact = false;
  else field.present = true;
  if (field.lower || field.upper) field.exact = false;
}

function narrowRange(field: FieldBounds, test: RangeTest): void {
  const { op, value } = test;
  const rank = rankOf(value);
  if (isNull(value) || rank === RANK.array || rank === RANK.object) {
    field.exact = false;
    return;
  }
  field.present = true;
  const side = op === 'gt' || op === 'gte' ? 'lower' : 'upper';
  const other = side === 'lower' ? field.upper : field.lower;
  if (field.points || field[side] || isNaNNumber(value) || (other && rankOf(other.value) !== rank)) {
    field.exact = false;
    return;
  }
  field[side] = { value, inclusive: op === 'gte' || op === 'lte' };
  field.used.push(test);
}

export interface KeyInterval {
  lower: Buffer;
  upper: Buffer;
}

/** Keys below `prefix` whose next value lies within the field's range bounds. */
export function rangeInterval(prefix: Buffer, bounds: FieldBounds, descending: boolean): KeyInterval {
  const { lower, upper } = bounds;
  const rank = rankOf((lower ?? upper)?.value);
  // Comparisons stay within the type even without a bound on one side; NaN is below all numbers and never compared.
  const least = rank === RANK.number ? { value: -Infinity, inclusive: true } : undefined;
  const from = lower ?? least;
  const low = from ? encodeKey(prefix, from.value, descending) : typeKey(prefix, rank, descending);
  const high = upper ? encodeKey(prefix, upper.value, descending) : typeKey(prefix, rank, descending);
  const ends: [Buffer, boolean][] = [
    [low, from?.inclusive ?? true],
    [high, upper?.inclusive ?? true],
  ];
  const [first, last] = descending ? ends.toReversed() : ends;
  return {
    lower: first![1] ? first![0] : successor(first![0]),
    upper: last![1] ? successor(last![0]) : last![0],
  };
}

function typeKey(prefix: Buffer, rank: number, descending: boolean): Buffer {
  return Buffer.concat([prefix, Buffer.of(descending ? ~rank & 0xff : rank)]);
}
