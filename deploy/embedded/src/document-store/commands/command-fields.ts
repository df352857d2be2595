import type { Document } from 'bson';
import { COMMON_FIELDS, type FieldType, type Fields } from '../rules/allow-list.js';
import { badValue, CommandError, typeMismatch } from '../rules/command-error.js';
import { bsonTypeOf, decodeDocument, isDocument, isNumber, numberOf } from '../values/bson-values.js';
import { ownField } from '../values/document-path.js';

const READ_CONCERNS: unknown[] = [undefined, 'local', 'available', 'majority'];

/** Checks a command against its row of the allow-list. @throws Location40415, Location40414, TypeMismatch (14), BadValue */
export function assertCommand(name: string, body: Document, fields: Fields): void {
  if ('txnNumber' in body || 'startTransaction' in body || 'autocommit' in body) {
    throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  assertFields(name, body, fields, COMMON_FIELDS);
  assertConcerns(body);
}

interface FieldRule {
  name: string;
  type: FieldType;
  required: boolean;
}

const NONE: Fields = {};

/** The rules of each row of the allow-list: every command is checked, so a row is read once. */
const RULES = new WeakMap<Fields, readonly FieldRule[]>();

function rulesOf(fields: Fields): readonly FieldRule[] {
  let rules = RULES.get(fields);
  if (!rules) {
    rules = Object.entries(fields).map(([name, rule]) => ({
      name,
      type: rule.replace('!', '') as FieldType,
      required: rule.endsWith('!'),
    }));
    RULES.set(fields, rules);
  }
  return rules;
}

/**
 * `more` are further fields that it may have.
 * @throws Location40415 for a field that is not listed, Location40414 for a missing one, TypeMismatch (14)
 */
export function assertFields(owner: string, document: Document, fields: Fields, more: Fields = NONE): void {
  for (const name of Object.keys(document)) {
    if (!Object.hasOwn(fields, name) && !Object.hasOwn(more, name)) {
      throw new CommandError(40415, `BSON field '${owner}.${name}' is an unknown field.`);
    }
  }
  for (const listed of [more, fields]) {
    for (const { name, type, required } of rulesOf(listed)) {
      const value = ownField(document, name);
      if (value !== undefined) assertType(owner, name, value, type);
      else if (required)
        throw new CommandError(40414, `BSON field '${owner}.${name}' is missing but a required field`);
    }
  }
}

const IS_OF_TYPE: Record<FieldType, (value: unknown) => boolean> = {
  any: () => true,
  array: Array.isArray,
  bool: (value) => typeof value === 'boolean',
  count: (value) => isNumber(value) && Number.isInteger(Number(numberOf(value))),
  long: (value) => bsonTypeOf(value) === 'Long',
  object: isDocument,
  string: (value) => typeof value === 'string',
};

function assertType(owner: string, name: string, value: unknown, type: FieldType): void {
  if (!IS_OF_TYPE[type](value))
    throw typeMismatch(`BSON field '${owner}.${name}' is the wrong type, expected type '${type}'`);
  if (type === 'count' && Number(numberOf(value)) < 0) {
    throw badValue(`BSON field '${owner}.${name}' value must be >= 0, actual value '${String(value)}'`);
  }
}

/**
 * Writes are durable and reads see the newest data here, so every level that a single server can give is accepted.
 */
function assertConcerns(body: Document): void {
  const { readConcern, writeConcern } = body as { readConcern?: Document; writeConcern?: Document };
  if (!READ_CONCERNS.includes(readConcern?.['level'])) {
    throw new CommandError(72, `read concern level '${String(readConcern!['level'])}' is not supported`);
  }
  const w: unknown = writeConcern?.['w'] ?? 'majority';
  if (w !== 'majority' && ![0, 1].includes(isNumber(w) ? Number(numberOf(w)) : NaN))
    throw badValue("cannot use 'w' > 1 when a host is not replicated");
}

/** The entries of a bulk write, from the document sequence or the body. @throws InvalidLength (16) */
export function entriesOf(
  body: Document,
  sequences: ReadonlyMap<string, Buffer[]>,
  owner: string,
  fields: Fields,
): Document[] {
  const name = owner.slice(owner.indexOf('.') + 1);
  const entries = sequences.get(name)?.map(decodeDocument) ?? (body[name] as unknown[] | undefined) ?? [];
  assertBatchSize(entries.length);
  return entries.map((entry) => {
    if (!isDocument(entry)) throw typeMismatch(`BSON field '${owner}' must hold documents`);
    assertFields(owner, entry, fields);
    return entry;
  });
}

export function assertBatchSize(count: number): void {
  if (count > 0 && count <= 100_000) return;
  throw new CommandError(16, `Write batch sizes must be between 1 and 100000. Got ${count} operations.`);
}

/** A whole number not below zero, or the fallback when the field is missing. */
export function countField(body: Document, name: string, fallback: number): number {
  const value: unknown = body[name];
  return value === undefined ? fallback : Number(numberOf(value));
}

/** The time at which `maxTimeMS` expires; Infinity when it is missing or zero. */
export function deadlineOf(body: Document): number {
  const limit = countField(body, 'maxTimeMS', 0);
  return limit === 0 ? Infinity : Date.now() + limit;
}

/** `database.collection` of a command. @throws InvalidNamespace (73) */
export function namespaceOf(body: Document, collection: unknown = Object.values(body)[0]): string {
  if (collection === '')
    throw new CommandError(73, 'Invalid namespace specified: the collection has no name');
  return `${databaseOf(body)}.${collection as string}`;
}

/** @throws InvalidNamespace (73) */
export function databaseOf(body: Document): string {
  const database = body['$db'] as string;
  if (!/^[^/\\. "$*<>:|?\0]{1,63}$/.test(database)) {
    throw new CommandError(73, `Invalid database name: '${database}'`);
  }
  return database;
}
