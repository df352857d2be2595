import type { Document } from 'bson';
import { badValue, CommandError } from '../rules/command-error.js';
import { EMPTY_ARRAY, isDocument } from './bson-values.js';

/** A name that MongoDB may read as a position in an array, and that a JavaScript object moves to its front. */
export function isPosition(name: string): boolean {
  // For most names the first character decides.
  return name.charCodeAt(0) <= 0x39 && /^(?:0|[1-9]\d*)$/.test(name);
}

/** Whether this server supports a part of a path. */
export function isPlain(part: string): boolean {
  return part !== '' && !part.startsWith('$') && !isPosition(part) && part !== '__proto__';
}

/** The names in a dotted path. @throws BadValue (2) for positions in arrays, EmptyFieldName (56) */
export function parsePath(path: string): string[] {
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '') throw new CommandError(56, `The path '${path}' contains an empty field name`);
    if (!isPlain(part)) throw badValue(`the path '${path}' is not supported by this server`);
  }
  return parts;
}

/**
 * Visits the values at a dotted path: arrays on the way are entered element by element; a missing field is visited as
 * undefined. Stops and returns true at the first visit that returns true.
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
  /** An array was found: one document has several keys here. */
  multikey: boolean;
}

/** The values that an index on the path holds for a document: array elements one by one, `undefined` when missing. */
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
    for (const item of value) into.push(item);
    return true;
  }
  if (Array.isArray(value)) {
    for (const item of value) collect(isDocument(item) ? item : undefined, parts, depth, into);
    return true;
  }
  return collect(isDocument(value) ? ownField(value, parts[depth]!) : undefined, parts, depth + 1, into);
}
