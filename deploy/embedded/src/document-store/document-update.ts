import { ObjectId, type Document } from 'bson';
import { decodeDocument, encodeDocument, isDocument } from './bson-values.js';
import type { CollectionStore } from './collection.store.js';
import { CommandError, failedToParse } from './command-error.js';
import { conjunction } from './field-bounds.js';
import { parseFilter } from './filter-parser.js';
import { compileUpdate, type DocumentChange } from './update-operators.js';
import { compilePipelineUpdate } from './update-pipeline.js';

/** A compiled `u` of an update: operators, a replacement, or a pipeline of `$set` and `$unset` stages. */
export type DocumentUpdate =
  { kind: 'change'; change: DocumentChange } | { kind: 'replacement'; document: Document };

/** @param now the server's time, for `$currentDate` and `$$NOW` */
export function compileDocumentUpdate(update: unknown, multi: boolean, now: Date): DocumentUpdate {
  if (Array.isArray(update)) return { kind: 'change', change: compilePipelineUpdate(update, now) };
  if (!isDocument(update)) throw failedToParse('Update argument must be either an object or an array');
  if (Object.keys(update)[0]?.startsWith('$')) return { kind: 'change', change: compileUpdate(update, now) };
  if (multi) throw failedToParse('multi update is not supported for replacement-style update');
  return { kind: 'replacement', document: update };
}

export interface Updated {
  before: Document;
  after: Document;
  modified: boolean;
}

/** Only inside `write`. A change that leaves every byte as it was writes nothing. */
export function updateDocument(collection: CollectionStore, raw: Buffer, update: DocumentUpdate): Updated {
  const before = decodeDocument(raw);
  let after: Document;
  if (update.kind === 'replacement') {
    const { _id: id = before['_id'], ...rest } = update.document;
    after = { _id: id, ...rest };
  } else {
    after = decodeDocument(raw);
    update.change(after, false);
  }
  const modified = !encodeDocument(after).equals(raw);
  if (modified) collection.replace(before, after);
  return { before, after, modified };
}

/** Inserts what an upsert that matched nothing makes of its filter's equalities and its update. Only inside `write`. */
export function upsertDocument(
  collection: CollectionStore,
  filter: Document,
  update: DocumentUpdate,
): Document {
  const known = equalities(filter);
  let document: Document;
  if (update.kind === 'replacement') {
    const id: unknown = update.document['_id'] ?? known.get('_id');
    document = id === undefined ? { ...update.document } : { ...update.document, _id: id };
  } else {
    document = {};
    const base = compileUpdate({ $set: Object.fromEntries(known) }, new Date(0));
    base(document, true);
    update.change(document, true);
  }
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

function equalities(filter: Document): Map<string, unknown> {
  const known = new Map<string, unknown>();
  for (const { path, test } of conjunction(parseFilter(filter)).fields) {
    const value =
      test.op === 'eq'
        ? test.value
        : test.op === 'in' && test.values.length === 1
          ? test.values[0]
          : undefined;
    if (value === undefined) continue;
    if (known.has(path)) {
      throw new CommandError(54, `cannot infer query fields to set, path '${path}' is matched twice`);
    }
    known.set(path, value);
  }
  return known;
}
