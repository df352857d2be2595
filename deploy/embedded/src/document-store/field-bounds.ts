import { compareValues, isNumber, numberOf, RANK, rankOf, valuesEqual } from './bson-values.js';
import { encodeKey, KeyWriter, successor } from './key-encoding.js';
import type { FieldTest, Filter } from './filter-parser.js';

/** What the conditions of one conjunction say about one path. */
export interface FieldBounds {
  /** Each is one value the field may have; an equality has one, `$in` several. */
  points?: unknown[];
  lower?: { value: unknown; inclusive: boolean };
  upper?: { value: unknown; inclusive: boolean };
  /** Some condition can only be met by a field that is there and not null. */
  present: boolean;
  /** The index decides these conditions alone, as long as no array is involved. */
  exact: boolean;
  /** Conditions taken up above; the others are left to the predicate. */
  used: FieldTest[];
}

/** Flattens nested `$and`s to the field conditions and the rest (`$or`, `$nor`). */
export function conjunction(filter: Filter): { fields: { path: string; test: FieldTest }[]; rest: Filter[] } {
  if (filter.kind === 'field') return { fields: [{ path: filter.path, test: filter.test }], rest: [] };
  if (filter.kind !== 'and') return { fields: [], rest: [filter] };
  const parts = filter.clauses.map(conjunction);
  return { fields: parts.flatMap((part) => part.fields), rest: parts.flatMap((part) => part.rest) };
}

/** The bounds of every path in a conjunction. */
export function boundsByPath(fields: { path: string; test: FieldTest }[]): Map<string, FieldBounds> {
  const bounds = new Map<string, FieldBounds>();
  for (const { path, test } of fields) {
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
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return narrowRange(field, test.op, test);
    case 'exists':
      // Indexes hold null for a missing field: the predicate has to tell them apart.
      field.exact = false;
      field.present ||= test.exists;
      return;
    case 'type':
      field.exact = false;
      field.present ||= !test.types.includes('null');
      return;
    default:
      field.exact = false;
      field.present ||= test.op === 'size' || test.op === 'elemMatch';
  }
}

function distinct(values: unknown[]): unknown[] {
  return values
    .toSorted(compareValues)
    .filter((value, at, sorted) => at === 0 || !valuesEqual(value, sorted[at - 1]));
}

function isIndexable(value: unknown): boolean {
  const rank = rankOf(value);
  return rank !== RANK.array && rank !== RANK.regex;
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

function narrowToPoints(field: FieldBounds, test: FieldTest, values: unknown[]): void {
  if (field.points || !values.every(isIndexable)) {
    field.exact = false;
    return;
  }
  field.points = values;
  field.used.push(test);
  if (values.some(isNull)) field.exact = false;
  else field.present = true;
  if (field.lower || field.upper) field.exact = false;
}

function narrowRange(
  field: FieldBounds,
  op: 'gt' | 'gte' | 'lt' | 'lte',
  test: FieldTest & { value: unknown },
): void {
  const { value } = test;
  const rank = rankOf(value);
  if (isNull(value) || !isIndexable(value) || rank === RANK.object) {
    field.exact = false;
    return;
  }
  field.present = true;
  const side = op === 'gt' || op === 'gte' ? 'lower' : 'upper';
  const other = side === 'lower' ? field.upper : field.lower;
  const isNaNBound = isNumber(value) && Number.isNaN(numberOf(value));
  if (field.points || field[side] || isNaNBound || (other && rankOf(other.value) !== rank)) {
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

const rankWriter = new KeyWriter();

/** Keys below `prefix` whose next value lies within the field's range bounds. */
export function rangeInterval(prefix: Buffer, bounds: FieldBounds, descending: boolean): KeyInterval {
  const { lower, upper } = bounds;
  const rank = rankOf((lower ?? upper)?.value);
  // Without a bound on one side, comparisons still stay within the type; NaN is below all numbers and never compared.
  const least = rank === RANK.number ? { value: -Infinity, inclusive: true } : undefined;
  const from = lower ?? least;
  const low = from ? encodeKey(prefix, from.value, descending) : typeKey(prefix, rank, descending);
  const high = upper ? encodeKey(prefix, upper.value, descending) : typeKey(prefix, rank, descending);
  const lowInclusive = from?.inclusive ?? true;
  const highInclusive = upper?.inclusive ?? true;
  return descending
    ? {
        lower: highInclusive ? high : successor(high),
        upper: lowInclusive ? successor(low) : low,
      }
    : {
        lower: lowInclusive ? low : successor(low),
        upper: highInclusive ? successor(high) : high,
      };
}

function typeKey(prefix: Buffer, rank: number, descending: boolean): Buffer {
  return rankWriter
    .reset()
    .raw(prefix)
    .raw(Uint8Array.of(descending ? ~rank & 0xff : rank))
    .take();
}
