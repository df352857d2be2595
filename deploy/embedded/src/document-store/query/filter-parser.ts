import type { Document } from 'bson';
import { FILTER_OPERATORS, isListed } from '../rules/allow-list.js';
import { badValue } from '../rules/command-error.js';
import { isDocument, rankOf, truthy } from '../values/bson-values.js';
import { parsePath } from '../values/document-path.js';

export interface RangeTest {
  op: 'gt' | 'gte' | 'lt' | 'lte';
  value: unknown;
}

/** A test of the values at a path. */
export type FieldTest =
  | RangeTest
  | { op: 'eq' | 'ne'; value: unknown }
  | { op: 'in' | 'nin'; values: unknown[] }
  | { op: 'exists'; exists: boolean };

export interface Condition {
  path: string;
  parts: string[];
  test: FieldTest;
}

/** A parsed filter: a document has to meet every condition. */
export type Filter = Condition[];

/** @throws BadValue (2) for operators that are not listed, and for values that this server does not compare */
export function parseFilter(filter: Document): Filter {
  return Object.entries(filter).flatMap(([path, condition]: [string, unknown]) => {
    if (path.startsWith('$')) throw badValue(`unknown top level operator: ${path}`);
    const parts = parsePath(path);
    return parseTests(condition).map((test) => ({ path, parts, test }));
  });
}

/** A plain value is an equality; a document whose first field is an operator is a set of tests. */
function parseTests(condition: unknown): FieldTest[] {
  if (!isDocument(condition) || !Object.keys(condition)[0]?.startsWith('$')) {
    return [{ op: 'eq', value: comparable(condition) }];
  }
  return Object.entries(condition).map(([name, value]) => parseOperator(name, value));
}

function parseOperator(name: string, value: unknown): FieldTest {
  if (!isListed(FILTER_OPERATORS, name)) throw badValue(`unknown operator: ${name}`);
  switch (name) {
    case '$in':
    case '$nin':
      return { op: name === '$in' ? 'in' : 'nin', values: valueList(name, value) };
    case '$exists':
      return { op: 'exists', exists: truthy(value) };
    case '$ne':
      return { op: 'ne', value: comparable(value) };
    default:
      return { op: name.slice(1) as RangeTest['op'], value: comparable(value) };
  }
}

function comparable(value: unknown): unknown {
  rankOf(value);
  return value;
}

function valueList(name: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw badValue(`${name} needs an array`);
  for (const item of value as unknown[]) {
    if (isDocument(comparable(item)) && Object.keys(item as Document)[0]?.startsWith('$'))
      throw badValue(`cannot nest $ under ${name}`);
  }
  return value as unknown[];
}
