import { encodeDocument } from '../values/bson-values.js';
import { decodeCompoundKey, UNTOLD } from '../values/key-decoding.js';
import type { Plan } from './planner.js';

/** The requested fields of a document, from its key in an index; undefined if the key does not tell one of them. */
export type KeyDocument = (key: Uint8Array) => Buffer | undefined;

/**
 * For a query whose filter the index decides and whose requested fields the index holds: as on MongoDB, no document is read
 * then. Undefined for all other queries.
 */
export function documentsOfKeys(
  { index, covered, repeats }: Plan,
  names: ReadonlySet<string> | undefined,
): KeyDocument | undefined {
  if (!names || !covered || repeats || index.isPrimary) return undefined;
  // The document's id follows the fields.
  const paths = [...index.fields.map(({ path }) => path), '_id'];
  const wanted = [...names].map((name) => ({ name, at: paths.indexOf(name) }));
  if (wanted.length === 0 || wanted.some(({ at }) => at === -1)) return undefined;
  const last = Math.max(...wanted.map(({ at }) => at));
  const descending = [...index.fields.map((field) => field.descending), false].slice(0, last + 1);
  return (key) => {
    const values = decodeCompoundKey(key, index.prefix.length, descending);
    if (!values || wanted.some(({ at }) => values[at] === UNTOLD)) return undefined;
    return encodeDocument(Object.fromEntries(wanted.map(({ name, at }) => [name, values[at]])));
  };
}
