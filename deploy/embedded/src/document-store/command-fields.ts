import type { Document, Long } from 'bson';
import { bsonTypeOf, isDocument, isNumber, numberOf } from './bson-values.js';
import { badValue, CommandError, typeMismatch } from './command-error.js';
import { truthy } from './filter-parser.js';

/** Fields any command may carry. */
const COMMON_FIELDS = [
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
];

const READ_CONCERNS = ['local', 'available', 'majority'];

/** The first field of a command is its name. @throws Location40415 for a field outside the allow-list */
export function assertFields(body: Document, allowed: readonly string[]): void {
  const [name, ...fields] = Object.keys(body);
  if (fields.includes('txnNumber') || fields.includes('startTransaction') || fields.includes('autocommit')) {
    throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  for (const field of fields) {
    if (!COMMON_FIELDS.includes(field) && !allowed.includes(field)) {
      throw new CommandError(40415, `BSON field '${name}.${field}' is an unknown field.`);
    }
  }
  assertConcerns(body);
}

/** Everything is durable and read at its newest here: all levels a single server can promise are accepted. */
function assertConcerns(body: Document): void {
  const read: unknown = body['readConcern'];
  if (isDocument(read) && read['level'] !== undefined && !READ_CONCERNS.includes(read['level'] as string)) {
    throw new CommandError(72, `read concern level '${String(read['level'])}' is not supported`);
  }
  const write: unknown = body['writeConcern'];
  const w: unknown = isDocument(write) ? write['w'] : undefined;
  if (w === undefined || w === 'majority') return;
  const count = isNumber(w) ? Number(numberOf(w)) : NaN;
  if (count !== 0 && count !== 1) throw badValue("cannot use 'w' > 1 when a host is not replicated");
}

/** A document inside one entry of a bulk write, checked against an allow-list of its own. */
export function assertEntryFields(entry: Document, kind: string, allowed: readonly string[]): void {
  for (const field of Object.keys(entry)) {
    if (!allowed.includes(field))
      throw new CommandError(40415, `BSON field '${kind}.${field}' is an unknown field.`);
  }
}

/** Options that are accepted when they ask for nothing: `tailable: false`, `let: {}`. */
export function assertNotAsked(body: Document, fields: readonly string[]): void {
  for (const field of fields) {
    const value: unknown = body[field];
    const empty =
      isDocument(value) || Array.isArray(value) ? Object.keys(value).length === 0 : !truthy(value);
    if (!empty) throw new CommandError(115, `the option '${field}' is not supported by this server`);
  }
}

export function documentField(body: Document, name: string): Document {
  const value: unknown = body[name] ?? {};
  if (!isDocument(value))
    throw typeMismatch(`BSON field '${name}' is the wrong type, expected type 'object'`);
  return value;
}

export function arrayField(body: Document, name: string): unknown[] {
  const value: unknown = body[name];
  if (!Array.isArray(value))
    throw typeMismatch(`BSON field '${name}' is the wrong type, expected type 'array'`);
  return value as unknown[];
}

export function stringField(body: Document, name: string): string {
  const value: unknown = body[name];
  if (typeof value !== 'string') {
    throw typeMismatch(`BSON field '${name}' is the wrong type, expected type 'string'`);
  }
  return value;
}

/** A whole number not below zero, or the fallback when the field is missing. */
export function countField(body: Document, name: string, fallback: number): number {
  const value: unknown = body[name];
  if (value === undefined || value === null) return fallback;
  const count = isNumber(value) ? Number(numberOf(value)) : NaN;
  if (!Number.isInteger(count)) throw typeMismatch(`BSON field '${name}' must be a whole number`);
  if (count < 0) throw badValue(`BSON field '${name}' value must be >= 0, actual value '${count}'`);
  return count;
}

export function longField(body: Document, name: string): Long {
  return asLong(body[name], name);
}

export function asLong(value: unknown, name: string): Long {
  if (bsonTypeOf(value) !== 'Long')
    throw typeMismatch(`BSON field '${name}' is the wrong type, expected type 'long'`);
  return value as Long;
}

/** The moment `maxTimeMS` runs out; never when it is missing or zero. */
export function deadlineOf(body: Document): number {
  const limit = countField(body, 'maxTimeMS', 0);
  return limit === 0 ? Infinity : Date.now() + limit;
}

/** `database.collection` of a command whose first field names the collection. @throws InvalidNamespace (73) */
export function namespaceOf(body: Document): string {
  const name = Object.keys(body)[0]!;
  const collection: unknown = body[name];
  if (typeof collection !== 'string' || collection === '') {
    throw new CommandError(73, `Invalid namespace specified for '${name}'`);
  }
  return `${databaseOf(body)}.${collection}`;
}

/** @throws InvalidNamespace (73) */
export function databaseOf(body: Document): string {
  const database: unknown = body['$db'];
  if (typeof database !== 'string' || !/^[^/\\. "$*<>:|?\0]{1,63}$/.test(database)) {
    throw new CommandError(73, `Invalid database name: '${String(database)}'`);
  }
  return database;
}
