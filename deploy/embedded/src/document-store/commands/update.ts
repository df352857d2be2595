import { Int32, type Document } from 'bson';
import { decodeDocument, isDocument } from '../bson-values.js';
import { BulkOutcome, isOrdered } from '../bulk-outcome.js';
import { CommandError, failedToParse } from '../command-error.js';
import {
  arrayField,
  assertEntryFields,
  assertFields,
  assertNotAsked,
  deadlineOf,
  documentField,
  namespaceOf,
} from '../command-fields.js';
import type { Command, CommandContext } from '../command.js';
import { compileDocumentUpdate, updateDocument, upsertDocument } from '../document-update.js';
import { parseFilter, truthy } from '../filter-parser.js';
import { FindQuery } from '../find-query.js';

const UPDATE_FIELDS = ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation', 'c'];
const DELETE_FIELDS = ['q', 'limit', 'hint', 'collation'];

/** The entries of a bulk write, from the document sequence or the body. */
function entriesOf(body: Document, { sequences }: CommandContext, name: string): Document[] {
  const entries = sequences.get(name)?.map(decodeDocument) ?? arrayField(body, name);
  if (entries.length === 0 || entries.length > 100_000) {
    throw new CommandError(
      16,
      `Write batch sizes must be between 1 and 100000. Got ${entries.length} operations.`,
    );
  }
  return entries.map((entry) => {
    if (!isDocument(entry)) throw failedToParse(`'${name}' must hold documents`);
    return entry;
  });
}

export const update: Command = (body, context) => {
  assertFields(body, ['updates', 'ordered', 'bypassDocumentValidation', 'let']);
  assertNotAsked(body, ['let']);
  const namespace = namespaceOf(body);
  const ordered = isOrdered(body);
  const deadline = deadlineOf(body);
  const entries = entriesOf(body, context, 'updates');
  const { catalog } = context;
  return catalog.storage.write(() => {
    const outcome = new BulkOutcome(ordered);
    const upserted: Document[] = [];
    let matched = 0;
    let modified = 0;
    outcome.each(entries, (entry, index) => {
      assertEntryFields(entry, 'update.updates', UPDATE_FIELDS);
      assertNotAsked(entry, ['arrayFilters', 'hint', 'collation', 'c']);
      const filter = documentField(entry, 'q');
      const multi = truthy(entry['multi']);
      const change = compileDocumentUpdate(entry['u'], multi, new Date());
      const collection = catalog.find(namespace);
      if (!collection) parseFilter(filter);
      const found = collection
        ? new FindQuery(catalog.storage, collection, {
            filter,
            sort: [],
            skip: 0,
            limit: multi ? 0 : 1,
            deadline,
          }).all()
        : [];
      for (const raw of found) {
        matched++;
        if (updateDocument(collection!, raw, change).modified) modified++;
      }
      if (found.length === 0 && truthy(entry['upsert'])) {
        const created = upsertDocument(catalog.findOrCreate(namespace), filter, change);
        matched++;
        upserted.push({ index: new Int32(index), _id: created['_id'] as unknown });
      }
    });
    return {
      n: new Int32(matched),
      nModified: new Int32(modified),
      ...(upserted.length > 0 && { upserted }),
      ...outcome.toReply(),
    };
  });
};

export const deleteCommand: Command = (body, context) => {
  assertFields(body, ['deletes', 'ordered', 'let']);
  assertNotAsked(body, ['let']);
  const namespace = namespaceOf(body);
  const ordered = isOrdered(body);
  const deadline = deadlineOf(body);
  const entries = entriesOf(body, context, 'deletes');
  const { catalog } = context;
  return catalog.storage.write(() => {
    const outcome = new BulkOutcome(ordered);
    let deleted = 0;
    outcome.each(entries, (entry) => {
      assertEntryFields(entry, 'delete.deletes', DELETE_FIELDS);
      assertNotAsked(entry, ['hint', 'collation']);
      const filter = documentField(entry, 'q');
      const limit = truthy(entry['limit']) ? 1 : 0;
      const collection = catalog.find(namespace);
      if (!collection) return void parseFilter(filter);
      const query = new FindQuery(catalog.storage, collection, {
        filter,
        sort: [],
        skip: 0,
        limit,
        deadline,
      });
      for (const raw of query.all()) {
        collection.delete(decodeDocument(raw));
        deleted++;
      }
    });
    return { n: new Int32(deleted), ...outcome.toReply() };
  });
};
