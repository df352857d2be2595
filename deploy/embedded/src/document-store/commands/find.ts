import { decodeDocument, encodeDocument } from '../bson-values.js';
import {
  assertFields,
  assertNotAsked,
  asLong,
  arrayField,
  countField,
  databaseOf,
  deadlineOf,
  documentField,
  longField,
  namespaceOf,
  stringField,
} from '../command-fields.js';
import type { Command } from '../command.js';
import type { BatchSource } from '../cursor.registry.js';
import { FindQuery } from '../find-query.js';
import { parseSort } from '../sort.js';
import { parseFilter, truthy } from '../filter-parser.js';
import { compileProjection, type Projection } from '../projection.js';
import { pickFields } from '../raw-fields.js';
import { encodeCursorReply } from '../wire-protocol.js';
import { Long } from 'bson';

const FIRST_BATCH = 101;

const NOT_SUPPORTED = [
  'tailable',
  'awaitData',
  'noCursorTimeout',
  'allowPartialResults',
  'showRecordId',
  'returnKey',
  'allowDiskUse',
  'oplogReplay',
  'let',
];

/** The documents of a query, projected. Without a projection they leave as they are stored. */
class FoundBatches implements BatchSource {
  constructor(
    private readonly query: FindQuery,
    private readonly projection: Projection | undefined,
  ) {}

  get isDone(): boolean {
    return this.query.isDone;
  }

  batch(count: number, deadline: number): Buffer[] {
    const { projection } = this;
    const found = this.query.batch(count, deadline);
    if (!projection) return found;
    const { topLevelFields } = projection;
    return found.map(
      (raw) =>
        (topLevelFields && pickFields(raw, topLevelFields)) ??
        encodeDocument(projection.apply(decodeDocument(raw))),
    );
  }
}

export const find: Command = (body, { catalog, cursors }) => {
  assertFields(body, [
    'filter',
    'sort',
    'projection',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    ...NOT_SUPPORTED,
  ]);
  assertNotAsked(body, NOT_SUPPORTED);
  const namespace = namespaceOf(body);
  const filter = documentField(body, 'filter');
  const sort = parseSort(body['sort']);
  const skip = countField(body, 'skip', 0);
  const limit = countField(body, 'limit', 0);
  const batchSize = countField(body, 'batchSize', FIRST_BATCH);
  const projection = compileProjection(body['projection']);
  const deadline = deadlineOf(body);
  const collection = catalog.find(namespace);
  if (!collection) {
    parseFilter(filter);
    return encodeCursorReply('firstBatch', [], Long.ZERO, namespace);
  }
  const query = new FindQuery(catalog.storage, collection, { filter, sort, skip, limit, deadline });
  const source = new FoundBatches(query, projection);
  const documents = source.batch(batchSize, deadline);
  const id = truthy(body['singleBatch']) ? Long.ZERO : cursors.register(namespace, source);
  return encodeCursorReply('firstBatch', documents, id, namespace);
};

export const getMore: Command = (body, { cursors }) => {
  assertFields(body, ['collection', 'batchSize']);
  const id = longField(body, 'getMore');
  const namespace = `${databaseOf(body)}.${stringField(body, 'collection')}`;
  const source = cursors.resume(id, namespace);
  const size = countField(body, 'batchSize', 0);
  const documents = source.batch(size === 0 ? Infinity : size, deadlineOf(body));
  if (source.isDone) cursors.close(id, namespace);
  return encodeCursorReply('nextBatch', documents, source.isDone ? Long.ZERO : id, namespace);
};

export const killCursors: Command = (body, { cursors }) => {
  assertFields(body, ['cursors']);
  const namespace = namespaceOf(body);
  const cursorsKilled: Long[] = [];
  const cursorsNotFound: Long[] = [];
  for (const value of arrayField(body, 'cursors')) {
    const id = asLong(value, 'cursors');
    (cursors.close(id, namespace) ? cursorsKilled : cursorsNotFound).push(id);
  }
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
};
