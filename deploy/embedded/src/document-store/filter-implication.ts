import { compareValues, rankOf, valuesEqual } from './bson-values.js';
import { compileFilter } from './filter-matcher.js';
import type { FieldTest, Filter } from './filter-parser.js';

interface Condition {
  path: string;
  test: FieldTest;
}

/** Whether documents that meet all `conditions` surely meet `filter`; false when in doubt. */
export function implies(conditions: Condition[], filter: Filter): boolean {
  if (filter.kind === 'and') return filter.clauses.every((clause) => implies(conditions, clause));
  if (filter.kind !== 'field') return false;
  return conditions.some(({ path, test }) => path === filter.path && testImplies(test, filter.test));
}

function testImplies(known: FieldTest, wanted: FieldTest): boolean {
  if (known.op === 'eq') return valueMeets(known.value, wanted);
  if (known.op === 'in') {
    return known.values.length > 0 && known.values.every((value) => valueMeets(value, wanted));
  }
  if (known.op === 'exists') return wanted.op === 'exists' && known.exists === wanted.exists;
  if (known.op === 'type') {
    return (
      (wanted.op === 'type' && known.types.every((type) => wanted.types.includes(type))) ||
      (wanted.op === 'exists' && wanted.exists)
    );
  }
  if (isRange(known)) {
    if (wanted.op === 'exists') return wanted.exists && known.value !== null && known.value !== undefined;
    return isRange(wanted) && rangeImplies(known, wanted);
  }
  return false;
}

/** A document whose field equals `value` meets the test; a null may be a missing field. */
function valueMeets(value: unknown, wanted: FieldTest): boolean {
  if (wanted.op === 'exists') return wanted.exists && value !== null && value !== undefined;
  if (wanted.op === 'type' && (value === null || value === undefined)) return false;
  return compileFilter({ kind: 'field', path: 'field', parts: ['field'], test: wanted })({ field: value });
}

type RangeTest = FieldTest & { op: 'gt' | 'gte' | 'lt' | 'lte' };

function isRange(test: FieldTest): test is RangeTest {
  return test.op === 'gt' || test.op === 'gte' || test.op === 'lt' || test.op === 'lte';
}

function rangeImplies(known: RangeTest, wanted: RangeTest): boolean {
  if (rankOf(known.value) !== rankOf(wanted.value)) return false;
  const fromBelow = (test: RangeTest): boolean => test.op.startsWith('g');
  if (fromBelow(known) !== fromBelow(wanted)) return false;
  if (valuesEqual(known.value, wanted.value)) return known.op === wanted.op || wanted.op.endsWith('e');
  const order = compareValues(known.value, wanted.value);
  return fromBelow(known) ? order > 0 : order < 0;
}
