import type { Document } from 'bson';
import { badValue } from '../rules/command-error.js';
import { isNumber, numberOf } from '../values/bson-values.js';
import { compareValues } from '../values/compare.js';
import { indexedValues, parsePath } from '../values/document-path.js';

export interface SortField {
  path: string;
  parts: string[];
  descending: boolean;
}

/** @throws BadValue (2) */
export function parseSort(sort: Document = {}): SortField[] {
  return Object.entries(sort).map(([path, direction]) => {
    const value = isNumber(direction) ? Number(numberOf(direction)) : NaN;
    if (value !== 1 && value !== -1)
      throw badValue(`$sort key ordering must be 1 (for ascending) or -1: ${path}`);
    return { path, parts: parsePath(path), descending: value === -1 };
  });
}

/**
 * By MongoDB's rules: an array sorts by its smallest element in ascending order, by its greatest in descending order.
 */
export function sortDocuments<Item>(
  items: Item[],
  decode: (item: Item) => Document,
  sort: SortField[],
): Item[] {
  const keyed = items.map((item) => {
    const document = decode(item);
    return { item, key: sort.map((field) => sortValue(document, field)) };
  });
  keyed.sort((a, b) => {
    for (const [at, { descending }] of sort.entries()) {
      const order = compareValues(a.key[at], b.key[at]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}

function sortValue(document: Document, { parts, descending }: SortField): unknown {
  const { values } = indexedValues(document, parts);
  return values.reduce((best, value) => {
    const order = compareValues(value, best);
    return (descending ? order > 0 : order < 0) ? value : best;
  });
}
