/**
 * Everything this server accepts, in one place. Anything else is refused with MongoDB's own code. A service that
 * needs more adds a row here, its implementation where the compiler then reports a missing one, and a test against
 * the oracle.
 */

/** The type of a field; `!` makes it required. A `count` is an integer from 0 on. */
export type FieldType = 'any' | 'array' | 'bool' | 'count' | 'long' | 'object' | 'string';
export type Fields = Readonly<Record<string, FieldType | `${FieldType}!`>>;

/** Fields that any command may have. Sessions are accepted and have no effect. */
export const COMMON_FIELDS: Fields = {
  $db: 'string!',
  lsid: 'object',
  $readPreference: 'object',
  readConcern: 'object',
  writeConcern: 'object',
  maxTimeMS: 'count',
  comment: 'any',
};

const HELLO = {
  helloOk: 'bool',
  client: 'object',
  compression: 'array',
  saslSupportedMechs: 'string',
  speculativeAuthenticate: 'object',
  backpressure: 'any',
} as const;

/** Commands with their fields; the first field has the name of the command. */
export const COMMANDS = {
  hello: { hello: 'any', ...HELLO },
  ismaster: { ismaster: 'any', ...HELLO },
  saslStart: {
    saslStart: 'any',
    mechanism: 'string!',
    payload: 'any',
    autoAuthorize: 'any',
    options: 'object',
  },
  saslContinue: { saslContinue: 'any', conversationId: 'any', payload: 'any' },
  ping: { ping: 'any' },
  endSessions: { endSessions: 'array' },
  find: {
    find: 'string!',
    filter: 'object',
    sort: 'object',
    projection: 'object',
    limit: 'count',
    batchSize: 'count',
    singleBatch: 'bool',
  },
  getMore: { getMore: 'long!', collection: 'string!', batchSize: 'count' },
  killCursors: { killCursors: 'string!', cursors: 'array!' },
  aggregate: { aggregate: 'string!', pipeline: 'array!', cursor: 'object!' },
  insert: { insert: 'string!', documents: 'array', ordered: 'bool' },
  update: { update: 'string!', updates: 'array', ordered: 'bool' },
  delete: { delete: 'string!', deletes: 'array', ordered: 'bool' },
  findAndModify: {
    findAndModify: 'string!',
    query: 'object',
    update: 'any',
    new: 'bool',
    upsert: 'bool',
    remove: 'bool',
  },
  createIndexes: { createIndexes: 'string!', indexes: 'array!' },
  listIndexes: { listIndexes: 'string!', cursor: 'object' },
  listCollections: {
    listCollections: 'any',
    filter: 'object',
    nameOnly: 'bool',
    authorizedCollections: 'bool',
    cursor: 'object',
  },
  renameCollection: { renameCollection: 'string!', to: 'string!', dropTarget: 'bool' },
  drop: { drop: 'string!' },
  dropDatabase: { dropDatabase: 'any' },
} as const satisfies Record<string, Fields>;

/** The commands that a connection may send before it is authenticated. */
export const BEFORE_AUTHENTICATION: readonly string[] = ['hello', 'ismaster', 'saslStart', 'saslContinue'];

/** Documents inside a command that have fields. */
export const ENTRIES = {
  'update.updates': { q: 'object!', u: 'any', multi: 'bool', upsert: 'bool' },
  'delete.deletes': { q: 'object!', limit: 'count!' },
  cursor: { batchSize: 'count' },
  index: { key: 'object!', name: 'string!', unique: 'bool', sparse: 'bool', background: 'bool', v: 'any' },
} as const satisfies Record<string, Fields>;

/** Conditions on a field; a plain value is an equality. Implemented in query/filter-parser.ts. */
export const FILTER_OPERATORS = ['$gt', '$gte', '$lt', '$lte', '$ne', '$in', '$nin', '$exists'] as const;

/** Implemented in commands/update-operators.ts. */
export const UPDATE_OPERATORS = [
  '$set',
  '$unset',
  '$setOnInsert',
  '$inc',
  '$addToSet',
  '$currentDate',
] as const;

/** Stages of a pipeline, in this order, and what `$group` can compute. Implemented in commands/aggregation.ts. */
export const STAGES = ['$match', '$group', '$limit'] as const;
export const ACCUMULATORS = ['$sum'] as const;

/** Narrows `name` to a row of one of the lists above. */
export function isListed<Name extends string>(list: readonly Name[], name: string): name is Name {
  return (list as readonly string[]).includes(name);
}
