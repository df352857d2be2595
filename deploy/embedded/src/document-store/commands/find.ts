import { Long, type Document } from 'bson';
import { typeMismatch } from '../rules/command-error.js';
import { bsonTypeOf } from '../values/bson-values.js';
import { parseFilter } from '../query/filter-parser.js';
import { FindQuery } from '../query/find-query.js';
import { compileProjection } from '../query/projection.js';
import { parseSort } from '../query/sort.js';
import { encodeCursorReply } from '../wire/wire-protocol.js';
import type { Command } from './command.js';
import { countField, deadlineOf, namespaceOf } from './command-fields.js';
import { readBatch, readyDocuments, type CursorRegistry, type DocumentSource } from './cursor.registry.js';

const FIRST_BATCH = 101;

export const find: Command = (body, { catalog, cursors }) => {
  const namespace = namespaceOf(body);
  const filter = parseFilter((body['filter'] as Document | undefined) ?? {});
  const sort = parseSort(body['sort'] as Document | undefined);
  const project = compileProjection(body['projection'] as Document | undefined);
  const options = { filter, sort, project, limit: countField(body, 'limit', 0), deadline: deadlineOf(body) };
  const collection = catalog.find(namespace);
  const source = collection ? new FindQuery(collection, options) : readyDocuments([]);
  return firstBatch(source, namespace, body, body['singleBatch'] === true ? undefined : cursors);
};

/** Without `cursors` no cursor is kept, and documents after the batch are dropped. */
export function firstBatch(
  source: DocumentSource,
  namespace: string,
  sizes: Document,
  cursors: CursorRegistry | undefined,
): Buffer[] {
  const documents = readBatch(source, countField(sizes, 'batchSize', FIRST_BATCH), deadlineOf(sizes));
  const id = cursors?.register(namespace, source) ?? Long.ZERO;
  return encodeCursorReply('firstBatch', documents, id, namespace);
}

export const getMore: Command = (body, { cursors }) => {
  const id = body['getMore'] as Long;
  const namespace = namespaceOf(body, body['collection']);
  const source = cursors.resume(id, namespace);
  try {
    const documents = readBatch(source, countField(body, 'batchSize', 0) || Infinity, deadlineOf(body));
    return encodeCursorReply('nextBatch', documents, source.isDone ? Long.ZERO : id, namespace);
  } catch (error) {
    cursors.close(id, namespace);
    throw error;
  } finally {
    if (source.isDone) cursors.close(id, namespace);
  }
};

export const killCursors: Command = (body, { cursors }) => {
  const namespace = namespaceOf(body);
  const killed: Long[] = [];
  const notFound: Long[] = [];
  for (const id of body['cursors'] as Long[]) {
    if (bsonTypeOf(id) !== 'Long') throw typeMismatch("BSON field 'cursors' must hold longs");
    (cursors.close(id, namespace) ? killed : notFound).push(id);
  }
  return { cursorsKilled: killed, cursorsNotFound: notFound, cursorsAlive: [], cursorsUnknown: [] };
};
