import { Int32, type Document } from 'bson';
import { ENTRIES } from '../rules/allow-list.js';
import { badValue, CommandError } from '../rules/command-error.js';
import { encodeDocument } from '../values/bson-values.js';
import type { Command } from './command.js';
import { assertFields, databaseOf, namespaceOf } from './command-fields.js';
import { readyDocuments } from './cursor.registry.js';
import { firstBatch } from './find.js';

/** Names alone, of all collections: what else MongoDB tells of a collection is not kept here. */
export const listCollections: Command = (body, { catalog, cursors }) => {
  const cursor = (body['cursor'] as Document | undefined) ?? {};
  assertFields('cursor', cursor, ENTRIES.cursor);
  if (body['nameOnly'] !== true) throw badValue('this server lists collections with nameOnly alone');
  if (Object.keys((body['filter'] as Document | undefined) ?? {}).length > 0)
    throw badValue('this server lists all collections: a filter is not supported');
  const database = databaseOf(body);
  const rows = catalog.namesIn(database).map((name) => encodeDocument({ name, type: 'collection' }));
  return firstBatch(readyDocuments(rows), `${database}.$cmd.listCollections`, cursor, cursors);
};

export const renameCollection: Command = (body, { catalog }) => {
  if (databaseOf(body) !== 'admin')
    throw new CommandError(13, 'renameCollection may only be run against the admin database.');
  if (body['dropTarget'] === true) throw badValue('dropTarget is not supported by this server');
  const [from, to] = [body['renameCollection'] as string, body['to'] as string];
  return catalog.storage.write(() => {
    catalog.rename(from, to);
    return {};
  });
};

export const drop: Command = (body, { catalog }) => {
  const namespace = namespaceOf(body);
  return catalog.storage.write(() => {
    const dropped = catalog.find(namespace);
    if (!dropped) return {};
    catalog.drop([dropped]);
    return { nIndexesWas: new Int32(dropped.allIndexes().length), ns: namespace };
  });
};

export const dropDatabase: Command = (body, { catalog }) => {
  const database = databaseOf(body);
  return catalog.storage.write(() => {
    catalog.drop(catalog.namesIn(database).map((name) => catalog.find(`${database}.${name}`)!));
    return { dropped: database };
  });
};
