import type { Document } from 'bson';
import { bsonTypeOf, compareValues, isDocument, isNumber, numberOf, RANK, rankOf } from './bson-values.js';
import { someValueAt } from './document-path.js';
import type { FieldTest, Filter } from './filter-parser.js';

export type Predicate = (document: Document) => boolean;

/** Compiles a filter to a predicate over decoded documents, with MongoDB's rules for arrays, null and types. */
export function compileFilter(filter: Filter): Predicate {
  if (filter.kind === 'field') {
    const { parts } = filter;
    const test = compileTest(filter.test);
    return (document) => test(document, parts);
  }
  const clauses = filter.clauses.map(compileFilter);
  switch (filter.kind) {
    case 'and':
      return (document) => clauses.every((clause) => clause(document));
    case 'or':
      return (document) => clauses.some((clause) => clause(document));
    case 'nor':
      return (document) => !clauses.some((clause) => clause(document));
  }
}

/** The top-level fields a filter looks at. */
export function fieldsOf(filter: Filter): Set<string> {
  if (filter.kind === 'field') return new Set([filter.parts[0]!]);
  return new Set(filter.clauses.flatMap((clause) => [...fieldsOf(clause)]));
}

/** Whether the value at `parts` below `root` passes; `parts` may be empty: the root itself is tested. */
type PathTest = (root: unknown, parts: readonly string[]) => boolean;

function compileTest(test: FieldTest): PathTest {
  switch (test.op) {
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'in': {
      const accepts = compileValueTest(test);
      return (root, parts) => someValueAt(root, parts, (value) => acceptsOrHolds(accepts, value));
    }
    case 'exists':
      return (root, parts) => someValueAt(root, parts, (value) => value !== undefined) === test.exists;
    case 'type':
      return (root, parts) =>
        someValueAt(
          root,
          parts,
          (value) =>
            hasType(value, test.types) ||
            (Array.isArray(value) && value.some((item: unknown) => hasType(item, test.types))),
        );
    case 'size':
      return (root, parts) =>
        someValueAt(root, parts, (value) => Array.isArray(value) && value.length === test.size);
    case 'all': {
      const each = test.values.map((value) => compileTest({ op: 'eq', value }));
      return (root, parts) => each.length > 0 && each.every((one) => one(root, parts));
    }
    case 'elemMatch': {
      const matches = compileElement(test);
      return (root, parts) =>
        someValueAt(root, parts, (value) => Array.isArray(value) && value.some(matches));
    }
    case 'not': {
      const each = test.tests.map(compileTest);
      return (root, parts) => !each.every((one) => one(root, parts));
    }
  }
}

/** A comparison meets an array when one of its elements passes, or the array as a whole. */
function acceptsOrHolds(accepts: (value: unknown) => boolean, value: unknown): boolean {
  return accepts(value) || (Array.isArray(value) && value.some(accepts));
}

function compileElement(test: FieldTest & { op: 'elemMatch' }): (item: unknown) => boolean {
  if (test.filter) {
    const predicate = compileFilter(test.filter);
    return (item) => isDocument(item) && predicate(item);
  }
  const each = test.tests.map(compileTest);
  return (item) => each.every((one) => one(item, []));
}

type ValueTest = FieldTest & { op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' };

function compileValueTest(test: ValueTest): (value: unknown) => boolean {
  if (test.op === 'in') {
    const { values } = test;
    return (value) => values.some((one) => equals(value, one));
  }
  const operand = test.value;
  if (test.op === 'eq') return (value) => equals(value, operand);
  const rank = rankOf(operand);
  // Null, booleans' order apart, only meets `$gte` and `$lte`, as an equality.
  if (rank === RANK.null) {
    return test.op === 'gte' || test.op === 'lte'
      ? (value) => value === undefined || value === null
      : () => false;
  }
  const nan = isNaNNumber(operand);
  return (value) => {
    // Comparisons never cross types; a missing field is no value.
    if (value === undefined || rankOf(value) !== rank) return false;
    if (nan || isNaNNumber(value)) return nan && isNaNNumber(value) && test.op.endsWith('e');
    const order = compareValues(value, operand);
    switch (test.op) {
      case 'gt':
        return order > 0;
      case 'gte':
        return order >= 0;
      case 'lt':
        return order < 0;
      default:
        return order <= 0;
    }
  };
}

function equals(value: unknown, operand: unknown): boolean {
  if (value === operand) return true;
  return compareValues(value, operand) === 0;
}

function isNaNNumber(value: unknown): boolean {
  return isNumber(value) && Number.isNaN(numberOf(value));
}

function hasType(value: unknown, types: string[]): boolean {
  return types.some((type) => {
    switch (type) {
      case 'double':
        return bsonTypeOf(value) === 'Double' || typeof value === 'number';
      case 'int':
        return bsonTypeOf(value) === 'Int32';
      case 'long':
        return bsonTypeOf(value) === 'Long';
      case 'number':
        return isNumber(value);
      case 'string':
        return typeof value === 'string';
      case 'object':
        return isDocument(value);
      case 'array':
        return Array.isArray(value);
      case 'binData':
        return bsonTypeOf(value) === 'Binary';
      case 'objectId':
        return bsonTypeOf(value) === 'ObjectId';
      case 'bool':
        return typeof value === 'boolean';
      case 'date':
        return value instanceof Date;
      default:
        return value === null;
    }
  });
}
