import { Int32, type Document } from 'bson';
import { decodeDocument } from '../bson-values.js';
import { failedToParse } from '../command-error.js';
import { assertFields, assertNotAsked, deadlineOf, documentField, namespaceOf } from '../command-fields.js';
import type { Command } from '../command.js';
import { compileDocumentUpdate, updateDocument, upsertDocument } from '../document-update.js';
import { parseFilter, truthy } from '../filter-parser.js';
import { FindQuery } from '../find-query.js';
import { parseSort } from '../sort.js';
import { compileProjection } from '../projection.js';

const NOT_SUPPORTED = ['arrayFilters', 'collation', 'hint', 'let'];

export const findAndModify: Command = (body, { catalog }) => {
  assertFields(body, [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'bypassDocumentValidation',
    ...NOT_SUPPORTED,
  ]);
  assertNotAsked(body, NOT_SUPPORTED);
  const namespace = namespaceOf(body);
  const filter = documentField(body, 'query');
  const sort = parseSort(body['sort'] ?? undefined);
  const projection = compileProjection(body['fields']);
  const [remove, upsert, returnNew] = ['remove', 'upsert', 'new'].map((name) => truthy(body[name]));
  if (remove && (body['update'] !== undefined || upsert || returnNew)) {
    throw failedToParse("Cannot specify 'remove' with 'update', 'upsert' or 'new'");
  }
  if (!remove && body['update'] === undefined)
    throw failedToParse("Either an update or 'remove' must be specified");
  const deadline = deadlineOf(body);
  const project = (document: Document): Document => (projection ? projection.apply(document) : document);

  return catalog.storage.write(() => {
    const collection = catalog.find(namespace);
    if (!collection) parseFilter(filter);
    const raw = collection
      ? new FindQuery(catalog.storage, collection, { filter, sort, skip: 0, limit: 1, deadline }).all()[0]
      : undefined;
    if (remove) {
      if (!raw) return { lastErrorObject: { n: new Int32(0) }, value: null };
      const document = decodeDocument(raw);
      collection!.delete(document);
      return { lastErrorObject: { n: new Int32(1) }, value: project(document) };
    }
    const change = compileDocumentUpdate(body['update'], false, new Date());
    if (raw) {
      const { before, after } = updateDocument(collection!, raw, change);
      return {
        lastErrorObject: { n: new Int32(1), updatedExisting: true },
        value: project(returnNew ? after : before),
      };
    }
    if (!upsert) return { lastErrorObject: { n: new Int32(0), updatedExisting: false }, value: null };
    const created = upsertDocument(catalog.findOrCreate(namespace), filter, change);
    return {
      lastErrorObject: { n: new Int32(1), updatedExisting: false, upserted: created['_id'] as unknown },
      value: returnNew ? project(created) : null,
    };
  });
};
