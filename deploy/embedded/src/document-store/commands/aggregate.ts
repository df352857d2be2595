import { Int32, type Document } from 'bson';
import {
  decodeDocument,
  encodeDocument,
  isDocument,
  isNumber,
  numberOf,
  valuesEqual,
} from '../bson-values.js';
import { splitPipeline } from '../aggregation-stages.js';
import { CommandError, failedToParse } from '../command-error.js';
import {
  arrayField,
  assertFields,
  assertNotAsked,
  countField,
  deadlineOf,
  documentField,
  namespaceOf,
  stringField,
} from '../command-fields.js';
import type { Command } from '../command.js';
import type { BatchSource } from '../cursor.registry.js';
import { indexedValues } from '../document-path.js';
import { parseFilter } from '../filter-parser.js';
import { FindQuery } from '../find-query.js';
import { parseSort } from '../sort.js';
import { encodeCursorReply } from '../wire-protocol.js';

const FIRST_BATCH = 101;
const REPLY_BYTES = 16 * 1024 * 1024;
const NOT_SUPPORTED = ['explain', 'allowDiskUse', 'collation', 'hint', 'let'];

/** Results that are all there already. */
class ReadyBatches implements BatchSource {
  private at = 0;

  constructor(private readonly documents: Buffer[]) {}

  get isDone(): boolean {
    return this.at >= this.documents.length;
  }

  batch(count: number): Buffer[] {
    const from = this.at;
    let bytes = 0;
    while (this.at < this.documents.length && this.at - from < count) {
      bytes += this.documents[this.at]!.length;
      if (this.at > from && bytes > REPLY_BYTES) break;
      this.at++;
    }
    return this.documents.slice(from, this.at);
  }
}

export const aggregate: Command = (body, { catalog, cursors }) => {
  assertFields(body, ['pipeline', 'cursor', 'bypassDocumentValidation', ...NOT_SUPPORTED]);
  assertNotAsked(body, NOT_SUPPORTED);
  if (isNumber(body['aggregate']))
    throw new CommandError(115, 'database aggregations are not supported by this server');
  if (!isDocument(body['cursor'])) throw failedToParse("The 'cursor' option is required");
  const namespace = namespaceOf(body);
  const pipeline = arrayField(body, 'pipeline');
  const batchSize = countField(body['cursor'], 'batchSize', FIRST_BATCH);
  const { head, stages } = splitPipeline(pipeline, new Date());
  const { filter, skip, limit } = head;
  const options = { filter, sort: parseSort(head.sort), skip, limit, deadline: deadlineOf(body) };
  const collection = catalog.find(namespace);
  if (!collection) parseFilter(filter);
  const query = collection ? new FindQuery(catalog.storage, collection, options) : undefined;

  let results: Document[];
  const count = countAll(pipeline);
  if (count) {
    const n = query?.count() ?? 0;
    results = n > 0 ? [{ ...count.constants, [count.field]: new Int32(n) }] : [];
  } else {
    results = (query?.all() ?? []).map(decodeDocument);
    for (const stage of stages) results = stage(results);
  }
  const source = new ReadyBatches(results.map(encodeDocument));
  const documents = source.batch(batchSize);
  return encodeCursorReply('firstBatch', documents, cursors.register(namespace, source), namespace);
};

const HEAD_STAGES = ['$match', '$sort', '$skip', '$limit'];

/** What the drivers' `countDocuments` sends, or `$count`, after stages of the query's own: counted without documents. */
function countAll(pipeline: unknown[]): { field: string; constants: Document } | undefined {
  const last = pipeline.at(-1);
  if (!isDocument(last)) return undefined;
  const names = pipeline.slice(0, -1).map((stage) => (isDocument(stage) ? Object.keys(stage)[0]! : ''));
  // In the query's order, each at most once: then nothing is left between the query and the count.
  const places = names.map((name) => HEAD_STAGES.indexOf(name));
  if (places.some((place, at) => place < 0 || (at > 0 && place <= places[at - 1]!))) return undefined;
  if (typeof last['$count'] === 'string') return { field: last['$count'], constants: {} };
  const group: unknown = last['$group'];
  if (!isDocument(group)) return undefined;
  const { _id: id, ...fields } = group;
  const entries = Object.entries(fields) as [string, unknown][];
  const [field, accumulator] = entries[0] ?? [];
  const one: unknown = isDocument(accumulator) ? accumulator['$sum'] : undefined;
  const isConstantId = id === null || isNumber(id);
  if (entries.length !== 1 || !isConstantId || !isNumber(one) || Number(numberOf(one)) !== 1)
    return undefined;
  return { field: field!, constants: { _id: id as unknown } };
}

export const count: Command = (body, { catalog }) => {
  assertFields(body, ['query', 'skip', 'limit', 'collation', 'hint']);
  assertNotAsked(body, ['collation', 'hint']);
  const collection = catalog.find(namespaceOf(body));
  const filter = documentField(body, 'query');
  const [skip, limit] = [countField(body, 'skip', 0), countField(body, 'limit', 0)];
  if (!collection) {
    parseFilter(filter);
    return { n: new Int32(0) };
  }
  const query = new FindQuery(catalog.storage, collection, {
    filter,
    sort: [],
    skip,
    limit,
    deadline: deadlineOf(body),
  });
  return { n: new Int32(query.count()) };
};

export const distinct: Command = (body, { catalog }) => {
  assertFields(body, ['key', 'query', 'collation', 'hint']);
  assertNotAsked(body, ['collation', 'hint']);
  const parts = stringField(body, 'key').split('.');
  const filter = documentField(body, 'query');
  const collection = catalog.find(namespaceOf(body));
  if (!collection) {
    parseFilter(filter);
    return { values: [] };
  }
  const query = new FindQuery(catalog.storage, collection, {
    filter,
    sort: [],
    skip: 0,
    limit: 0,
    deadline: deadlineOf(body),
  });
  const values: unknown[] = [];
  for (const raw of query.all()) {
    for (const value of indexedValues(decodeDocument(raw), parts).values) {
      if (value === undefined || typeof value === 'symbol') continue;
      if (!values.some((other) => valuesEqual(other, value))) values.push(value);
    }
  }
  return { values };
};
