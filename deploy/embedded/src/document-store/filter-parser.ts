import type { Document } from 'bson';
import { bsonTypeOf, isDocument, isNumber, numberOf } from './bson-values.js';
import { badValue, failedToParse } from './command-error.js';

/** One test of the values at a path. */
export type FieldTest =
  | { op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte'; value: unknown }
  | { op: 'in'; values: unknown[] }
  | { op: 'exists'; exists: boolean }
  | { op: 'type'; types: string[] }
  | { op: 'size'; size: number }
  | { op: 'all'; values: unknown[] }
  | { op: 'elemMatch'; filter?: Filter; tests: FieldTest[] }
  | { op: 'not'; tests: FieldTest[] };

export interface FieldFilter {
  kind: 'field';
  path: string;
  parts: string[];
  test: FieldTest;
}

/** A parsed filter: only what the allow-list of this server contains. */
export type Filter = FieldFilter | { kind: 'and' | 'or' | 'nor'; clauses: Filter[] };

/** `$type` names and numbers this server tells apart; `number` is any numeric type. */
const TYPE_NAMES: Record<string, string> = {
  double: 'double',
  1: 'double',
  string: 'string',
  2: 'string',
  object: 'object',
  3: 'object',
  array: 'array',
  4: 'array',
  binData: 'binData',
  5: 'binData',
  objectId: 'objectId',
  7: 'objectId',
  bool: 'bool',
  8: 'bool',
  date: 'date',
  9: 'date',
  null: 'null',
  10: 'null',
  int: 'int',
  16: 'int',
  long: 'long',
  18: 'long',
  number: 'number',
};

/** @throws BadValue (2) for an operator outside the allow-list, FailedToParse (9) for a malformed one. */
export function parseFilter(filter: Document): Filter {
  const clauses: Filter[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (name.startsWith('$')) clauses.push(parseLogical(name, value));
    else for (const test of parseTests(value)) clauses.push(fieldFilter(name, test));
  }
  return clauses.length === 1 ? clauses[0]! : { kind: 'and', clauses };
}

function fieldFilter(path: string, test: FieldTest): FieldFilter {
  const parts = path.split('.');
  if (parts.includes('__proto__')) throw badValue(`'${path}' is not a field this server queries`);
  return { kind: 'field', path, parts, test };
}

function parseLogical(name: string, value: unknown): Filter {
  const kind = name === '$and' ? 'and' : name === '$or' ? 'or' : name === '$nor' ? 'nor' : undefined;
  if (!kind) throw badValue(`unknown top level operator: ${name}`);
  if (!Array.isArray(value)) throw badValue(`${name} must be an array`);
  if (value.length === 0) throw badValue('$and/$or/$nor must be a nonempty array');
  const clauses = value.map((clause: unknown) => {
    if (!isDocument(clause)) throw badValue('$or/$and/$nor entries need to be full objects');
    return parseFilter(clause);
  });
  return { kind, clauses };
}

/** A field's condition: a plain value is an equality; a document whose first field is an operator is a set of tests. */
function parseTests(condition: unknown): FieldTest[] {
  if (bsonTypeOf(condition) === 'BSONRegExp') throw badValue('regular expressions are not supported');
  if (!isDocument(condition)) return [{ op: 'eq', value: condition }];
  const names = Object.keys(condition);
  if (!names[0]?.startsWith('$')) return [{ op: 'eq', value: condition }];
  return Object.entries(condition).map(([name, value]) => parseOperator(name, value));
}

function parseOperator(name: string, value: unknown): FieldTest {
  switch (name) {
    case '$eq':
      return { op: 'eq', value: comparable(name, value) };
    case '$ne':
      return { op: 'not', tests: [{ op: 'eq', value: comparable(name, value) }] };
    case '$gt':
      return { op: 'gt', value: comparable(name, value) };
    case '$gte':
      return { op: 'gte', value: comparable(name, value) };
    case '$lt':
      return { op: 'lt', value: comparable(name, value) };
    case '$lte':
      return { op: 'lte', value: comparable(name, value) };
    case '$in':
      return { op: 'in', values: valueList(name, value) };
    case '$nin':
      return { op: 'not', tests: [{ op: 'in', values: valueList(name, value) }] };
    case '$exists':
      return { op: 'exists', exists: truthy(value) };
    case '$not':
      return { op: 'not', tests: parseNot(value) };
    case '$type':
      return { op: 'type', types: (Array.isArray(value) ? value : [value]).map(parseType) };
    case '$size':
      return { op: 'size', size: parseSize(value) };
    case '$all':
      return { op: 'all', values: valueList(name, value) };
    case '$elemMatch':
      return parseElemMatch(value);
    default:
      throw badValue(`unknown operator: ${name}`);
  }
}

function comparable(name: string, value: unknown): unknown {
  if (bsonTypeOf(value) === 'BSONRegExp') throw badValue(`Can't have RegEx as arg to ${name}.`);
  return value;
}

function valueList(name: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw badValue(`${name} needs an array`);
  for (const item of value) {
    comparable(name, item);
    if (isDocument(item) && Object.keys(item)[0]?.startsWith('$'))
      throw badValue(`cannot nest $ under ${name}`);
  }
  return value as unknown[];
}

/** What MongoDB takes as true: anything but false, null, zero and a missing value. */
export function truthy(value: unknown): boolean {
  if (isNumber(value)) return Number(numberOf(value)) !== 0;
  return value !== false && value !== null && value !== undefined;
}

function parseNot(value: unknown): FieldTest[] {
  if (!isDocument(value)) throw badValue('$not needs a document');
  const names = Object.keys(value);
  if (names.length === 0) throw badValue('$not cannot be empty');
  return Object.entries(value).map(([name, argument]) => {
    if (!name.startsWith('$')) throw badValue(`unknown operator: ${name}`);
    return parseOperator(name, argument);
  });
}

function parseType(value: unknown): string {
  const name = typeof value === 'string' ? value : isNumber(value) ? String(numberOf(value)) : '';
  const type = Object.hasOwn(TYPE_NAMES, name) ? TYPE_NAMES[name] : undefined;
  if (!type) throw badValue(`Unknown type name alias: ${name}`);
  return type;
}

function parseSize(value: unknown): number {
  const size = isNumber(value) ? Number(numberOf(value)) : NaN;
  if (!Number.isInteger(size)) throw failedToParse('Failed to parse $size. Expected an integer');
  if (size < 0) throw badValue('$size may not be negative');
  return size;
}

function parseElemMatch(value: unknown): FieldTest {
  if (!isDocument(value)) throw badValue('$elemMatch needs an Object');
  const first = Object.keys(value)[0];
  const onValues = first?.startsWith('$') && !['$and', '$or', '$nor'].includes(first);
  return onValues
    ? {
        op: 'elemMatch',
        tests: Object.entries(value).map(([name, argument]) => parseOperator(name, argument)),
      }
    : { op: 'elemMatch', filter: parseFilter(value), tests: [] };
}
