import type { Document } from 'bson';
import { EMPTY_ARRAY, isDocument } from './bson-values.js';

const ARRAY_POSITION = /^(?:0|[1-9]\d*)$/;

export function isArrayPosition(part: string): boolean {
  return ARRAY_POSITION.test(part);
}

/**
 * Visits what a dotted path reaches: arrays on the way are entered, by position or element by element; a missing field
 * is visited as undefined. Stops, with true, at the first visit that answers true.
 */
export function someValueAt(
  value: unknown,
  parts: readonly string[],
  visit: (value: unknown) => boolean,
  depth = 0,
): boolean {
  const part = parts[depth];
  if (part === undefined) return visit(value);
  if (Array.isArray(value)) {
    if (isArrayPosition(part) && Number(part) < value.length) {
      if (someValueAt(value[Number(part)], parts, visit, depth + 1)) return true;
    }
    return value.some((item) => isDocument(item) && someValueAt(item, parts, visit, depth));
  }
  return someValueAt(isDocument(value) ? ownField(value, part) : undefined, parts, visit, depth + 1);
}

/** A field of the document itself: never one inherited from Object.prototype. */
export function ownField(document: Document, name: string): unknown {
  return Object.hasOwn(document, name) ? document[name] : undefined;
}

export interface IndexedValues {
  values: unknown[];
  /** An array was met: one document has several keys here. */
  multikey: boolean;
}

/** The values an index on the path holds for a document: elements of arrays one by one, `undefined` when missing. */
export function indexedValues(document: Document, parts: readonly string[]): IndexedValues {
  const first = parts.length === 1 ? ownField(document, parts[0]!) : undefined;
  if (parts.length === 1 && !Array.isArray(first)) return { values: [first], multikey: false };
  const values: unknown[] = [];
  const multikey = collect(document, parts, 0, values);
  return { values: values.length > 0 ? values : [undefined], multikey };
}

function collect(value: unknown, parts: readonly string[], depth: number, into: unknown[]): boolean {
  if (depth === parts.length) {
    if (!Array.isArray(value)) {
      into.push(value);
      return false;
    }
    if (value.length === 0) into.push(EMPTY_ARRAY);
    else into.push(...(value as unknown[]));
    return true;
  }
  if (Array.isArray(value)) {
    for (const item of value) collect(isDocument(item) ? item : undefined, parts, depth, into);
    return true;
  }
  return collect(isDocument(value) ? ownField(value, parts[depth]!) : undefined, parts, depth + 1, into);
}
