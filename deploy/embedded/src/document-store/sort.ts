import type { Document } from 'bson';
import { compareValues, isDocument, isNumber, numberOf } from './bson-values.js';
import { badValue, failedToParse, typeMismatch } from './command-error.js';
import { indexedValues } from './document-path.js';
import type { SortField } from './planner.js';

/** @throws BadValue (2), FailedToParse (9), TypeMismatch (14) */
export function parseSort(sort: unknown): SortField[] {
  if (sort === undefined) return [];
  if (!isDocument(sort)) throw typeMismatch("Expected field 'sort' to be of type object");
  return Object.entries(sort).map(([path, direction]) => {
    const value = isNumber(direction) ? Number(numberOf(direction)) : NaN;
    if (value !== 1 && value !== -1)
      throw badValue(`$sort key ordering must be 1 (for ascending) or -1: ${path}`);
    if (path.startsWith('$') || path === '') throw failedToParse(`sort by '${path}' is not supported`);
    return { path, descending: value === -1 };
  });
}

/** By MongoDB's rules: an array sorts by its least element ascending, by its greatest descending. */
export function sortDocuments<Item>(
  items: Item[],
  decode: (item: Item) => Document,
  sort: SortField[],
): Item[] {
  const fields = sort.map(({ path, descending }) => ({ parts: path.split('.'), descending }));
  const keyed = items.map((item) => {
    const document = decode(item);
    return { item, key: fields.map(({ parts, descending }) => sortValue(document, parts, descending)) };
  });
  keyed.sort((a, b) => {
    for (const [at, { descending }] of fields.entries()) {
      const order = compareValues(a.key[at], b.key[at]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}

function sortValue(document: Document, parts: string[], descending: boolean): unknown {
  const { values } = indexedValues(document, parts);
  return values.reduce((best, value) => {
    const order = compareValues(value, best);
    return (descending ? order > 0 : order < 0) ? value : best;
  });
}
