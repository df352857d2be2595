import { ObjectId, type Document } from 'bson';
import type { Filter } from '../query/filter-parser.js';
import { CommandError } from '../rules/command-error.js';
import type { CollectionStore } from '../store/collection.store.js';
import { decodeDocument, encodeDocument } from '../values/bson-values.js';
import { compileUpdate, type DocumentChange } from './update-operators.js';

export interface Updated {
  after: Document;
  modified: boolean;
}

/** Writes nothing when the change leaves every byte the same. Only inside `write`. */
export function updateDocument(collection: CollectionStore, raw: Buffer, change: DocumentChange): Updated {
  const after = decodeDocument(raw);
  change(after, false);
  const bytes = encodeDocument(after);
  const modified = !bytes.equals(raw);
  if (modified) collection.replace(raw, { document: after, bytes }, change.touches);
  return { after, modified };
}

/**
 * Inserts the document of an upsert that matched nothing, from the equalities of its filter and its update. Only
 * inside `write`.
 */
export function upsertDocument(
  collection: CollectionStore,
  filter: Filter,
  change: DocumentChange,
): Document {
  const known = equalities(filter);
  const document: Document = {};
  if (known.size > 0) compileUpdate({ $set: Object.fromEntries(known) }, new Date(0))(document, true);
  change(document, true);
  const { _id: id = new ObjectId(), ...rest } = document;
  const complete = { _id: id as unknown, ...rest };
  if (
    known.has('_id') &&
    !encodeDocument({ id: known.get('_id') as unknown }).equals(encodeDocument({ id }))
  ) {
    throw new CommandError(
      66,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  collection.insert(encodeDocument(complete));
  return complete;
}

/** @throws NotSingleValueField (54), NotExactValueField (111) */
function equalities(filter: Filter): Map<string, unknown> {
  const known = new Map<string, unknown>();
  for (const { path, test } of filter) {
    const values = test.op === 'eq' ? [test.value] : test.op === 'in' ? test.values : [];
    if (values.length !== 1) continue;
    if (path.startsWith('_id.')) {
      throw new CommandError(
        111,
        `field at '_id' must be exactly specified, field at sub-path '${path}' found`,
      );
    }
    if (known.has(path)) {
      throw new CommandError(54, `cannot infer query fields to set, path '${path}' is matched twice`);
    }
    known.set(path, values[0]);
  }
  return known;
}
