import { Int32, type Document } from 'bson';
import { ENTRIES } from '../rules/allow-list.js';
import { parseFilter } from '../query/filter-parser.js';
import { FindQuery } from '../query/find-query.js';
import { decodeDocument, encodeDocument } from '../values/bson-values.js';
import type { Command } from './command.js';
import { assertFields, deadlineOf, namespaceOf } from './command-fields.js';
import { compilePipeline } from './aggregation.js';
import { readyDocuments } from './cursor.registry.js';
import { firstBatch } from './find.js';

export const aggregate: Command = (body, { catalog, cursors }) => {
  const cursor = body['cursor'] as Document;
  assertFields('cursor', cursor, ENTRIES.cursor);
  const namespace = namespaceOf(body);
  const pipeline = compilePipeline(body['pipeline'] as unknown[]);
  const filter = parseFilter(pipeline.filter);
  const collection = catalog.find(namespace);
  const query = collection && new FindQuery(collection, { filter, deadline: deadlineOf(body) });

  let results: Document[];
  if (pipeline.countsAll) {
    const { field, id } = pipeline.countsAll;
    const n = query?.count() ?? 0;
    results = n > 0 ? [{ _id: id, [field]: new Int32(n) }] : [];
  } else {
    results = pipeline.run((query?.all() ?? []).map(decodeDocument));
  }
  return firstBatch(readyDocuments(results.map(encodeDocument)), namespace, cursor, cursors);
};
