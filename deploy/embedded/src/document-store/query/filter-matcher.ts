import type { Document } from 'bson';
import { isNaNNumber, RANK, rankOf } from '../values/bson-values.js';
import { compareValues, valuesEqual } from '../values/compare.js';
import { someValueAt } from '../values/document-path.js';
import type { FieldTest, Filter, RangeTest } from './filter-parser.js';

export type Predicate = (document: Document) => boolean;

/** Compiles a filter to a predicate over decoded documents, with MongoDB's rules for arrays, null and types. */
export function compileFilter(filter: Filter): Predicate {
  const tests = filter.map(({ parts, test }) => {
    const { accepts, wanted } = compileTest(test);
    return (document: Document) => someValueAt(document, parts, accepts) === wanted;
  });
  return (document) => tests.every((test) => test(document));
}

/** With `wanted`, a document passes when some value at the path is accepted; otherwise, when none is. */
interface ValueTest {
  accepts: (value: unknown) => boolean;
  wanted: boolean;
}

function compileTest(test: FieldTest): ValueTest {
  switch (test.op) {
    case 'exists':
      return { accepts: (value) => value !== undefined, wanted: test.exists };
    case 'eq':
    case 'ne':
      return { accepts: orElement((value) => equals(value, test.value)), wanted: test.op === 'eq' };
    case 'in':
    case 'nin':
      return {
        accepts: orElement((value) => test.values.some((one) => equals(value, one))),
        wanted: test.op === 'in',
      };
    default:
      return { accepts: orElement(compileRange(test)), wanted: true };
  }
}

/** An array is accepted when one of its elements is, or the array as a whole. */
function orElement(accepts: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => accepts(value) || (Array.isArray(value) && value.some(accepts));
}

function compileRange({ op, value: operand }: RangeTest): (value: unknown) => boolean {
  const rank = rankOf(operand);
  const orEqual = op === 'gte' || op === 'lte';
  // Null matches only `$gte` and `$lte`, as an equality.
  if (rank === RANK.null) return (value) => orEqual && (value === undefined || value === null);
  const nan = isNaNNumber(operand);
  const sign = op === 'gt' || op === 'gte' ? 1 : -1;
  return (value) => {
    // Comparisons never cross types; a missing field has no value to compare.
    if (value === undefined || rankOf(value) !== rank) return false;
    if (nan || isNaNNumber(value)) return orEqual && nan && isNaNNumber(value);
    const order = compareValues(value, operand) * sign;
    return order > 0 || (orEqual && order === 0);
  };
}

function equals(value: unknown, operand: unknown): boolean {
  return value === operand || valuesEqual(value, operand);
}
