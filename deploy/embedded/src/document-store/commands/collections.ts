import { Int32, Long, type Document } from 'bson';
import { encodeDocument, isDocument } from '../bson-values.js';
import { CommandError } from '../command-error.js';
import {
  arrayField,
  assertFields,
  assertNotAsked,
  countField,
  databaseOf,
  documentField,
  namespaceOf,
} from '../command-fields.js';
import type { Command } from '../command.js';
import { truthy } from '../filter-parser.js';
import { parseIndexSpecification, type IndexSpecification } from '../index-definition.js';
import type { CollectionStore } from '../collection.store.js';
import { encodeCursorReply } from '../wire-protocol.js';

export const create: Command = (body, { catalog }) => {
  assertFields(body, ['capped', 'autoIndexId']);
  assertNotAsked(body, ['capped']);
  const namespace = namespaceOf(body);
  return catalog.storage.write(() => {
    if (catalog.find(namespace)) throw new CommandError(48, `Collection ${namespace} already exists.`);
    catalog.findOrCreate(namespace);
    return {};
  });
};

export const drop: Command = (body, { catalog }) => {
  assertFields(body, []);
  const namespace = namespaceOf(body);
  return catalog.storage.write(() => {
    const collection = catalog.find(namespace);
    if (!collection) throw new CommandError(26, 'ns not found');
    const nIndexesWas = new Int32(collection.allIndexes().length);
    catalog.drop(namespace);
    return { nIndexesWas, ns: namespace };
  });
};

export const dropDatabase: Command = (body, { catalog }) => {
  assertFields(body, []);
  const database = databaseOf(body);
  return catalog.storage.write(() => {
    for (const namespace of catalog.namespaces(database)) catalog.drop(namespace);
    return { dropped: database };
  });
};

export const listDatabases: Command = (body, { catalog }) => {
  assertFields(body, ['nameOnly', 'filter', 'authorizedDatabases']);
  assertNotAsked(body, ['filter']);
  if (databaseOf(body) !== 'admin')
    throw new CommandError(20, 'listDatabases may only be run against the admin database.');
  const names = [
    ...new Set(catalog.namespaces().map((namespace) => namespace.slice(0, namespace.indexOf('.')))),
  ];
  return { databases: names.map((name) => ({ name, sizeOnDisk: 0, empty: false })), totalSize: 0 };
};

export const listCollections: Command = (body, { catalog }) => {
  assertFields(body, ['filter', 'nameOnly', 'authorizedCollections', 'cursor']);
  const database = databaseOf(body);
  const filter = documentField(body, 'filter');
  for (const [name, value] of Object.entries(filter)) {
    if (name !== 'name' || typeof value !== 'string') {
      throw new CommandError(115, "listCollections is only filtered by 'name' on this server");
    }
  }
  const documents = catalog
    .namespaces(database)
    .map((namespace) => namespace.slice(database.length + 1))
    .filter((name) => filter['name'] === undefined || filter['name'] === name)
    .map((name) =>
      encodeDocument({
        name,
        type: 'collection',
        ...(!truthy(body['nameOnly']) && {
          options: {},
          info: { readOnly: false },
          idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
        }),
      }),
    );
  return encodeCursorReply('firstBatch', documents, Long.ZERO, `${database}.$cmd.listCollections`);
};

export const listIndexes: Command = (body, { catalog }) => {
  assertFields(body, ['cursor']);
  const namespace = namespaceOf(body);
  countField(documentField(body, 'cursor'), 'batchSize', 0);
  const collection = catalog.find(namespace);
  if (!collection) throw new CommandError(26, `ns does not exist: ${namespace}`);
  const documents = collection.allIndexes().map((index) => encodeDocument(index.describe()));
  return encodeCursorReply('firstBatch', documents, Long.ZERO, namespace);
};

export const createIndexes: Command = (body, { catalog }) => {
  assertFields(body, ['indexes', 'commitQuorum']);
  const namespace = namespaceOf(body);
  const specifications = arrayField(body, 'indexes').map(parseIndexSpecification);
  if (specifications.length === 0) throw new CommandError(2, 'Must specify at least one index to create');
  return catalog.storage.write(() => {
    const createdCollectionAutomatically = !catalog.find(namespace);
    const collection = catalog.findOrCreate(namespace);
    const numIndexesBefore = collection.allIndexes().length;
    for (const specification of specifications) {
      if (!isThere(collection, specification)) catalog.createIndex(collection, specification);
    }
    const numIndexesAfter = collection.allIndexes().length;
    return {
      numIndexesBefore: new Int32(numIndexesBefore),
      numIndexesAfter: new Int32(numIndexesAfter),
      createdCollectionAutomatically,
      ...(numIndexesAfter === numIndexesBefore && { note: 'all indexes already exist' }),
    };
  });
};

/** @throws IndexKeySpecsConflict (86), IndexOptionsConflict (85) when an index of the name or key is another */
function isThere(collection: CollectionStore, specification: IndexSpecification): boolean {
  for (const index of collection.allIndexes()) {
    const sameName = index.name === specification.name;
    const sameKey = JSON.stringify(index.key) === JSON.stringify(specification.key);
    if (!sameName && !sameKey) continue;
    if (index.isPrimary && sameKey) return true;
    const sameOptions =
      index.unique === specification.unique &&
      index.sparse === specification.sparse &&
      sameDocument(index.partialFilterExpression, specification.partialFilterExpression);
    if (sameName && sameKey && sameOptions) return true;
    if (sameName) {
      throw new CommandError(
        86,
        `An existing index has the same name as the requested index but another definition: ${index.name}`,
      );
    }
    if (sameOptions) throw new CommandError(85, `Index already exists with a different name: ${index.name}`);
  }
  return false;
}

function sameDocument(a: Document | undefined, b: Document | undefined): boolean {
  if (!a || !b) return a === b;
  return encodeDocument(a).equals(encodeDocument(b));
}

export const dropIndexes: Command = (body, { catalog }) => {
  assertFields(body, ['index']);
  const namespace = namespaceOf(body);
  const wanted: unknown = body['index'];
  return catalog.storage.write(() => {
    const collection = catalog.find(namespace);
    if (!collection) throw new CommandError(26, `ns not found ${namespace}`);
    const nIndexesWas = new Int32(collection.allIndexes().length);
    const named = (Array.isArray(wanted) ? wanted : [wanted]) as unknown[];
    const names =
      wanted === '*'
        ? collection.indexes().map(({ name }) => name)
        : named.map((one) => nameOf(collection, one));
    for (const name of names) collection.dropIndex(name);
    return { nIndexesWas };
  });
};

function nameOf(collection: CollectionStore, wanted: unknown): string {
  const index = collection
    .allIndexes()
    .find(({ name, key }) => (isDocument(wanted) ? sameDocument(key, plainKey(wanted)) : name === wanted));
  if (!index) throw new CommandError(27, `index not found with name [${JSON.stringify(wanted)}]`);
  if (index.isPrimary) throw new CommandError(72, 'cannot drop _id index');
  return index.name;
}

function plainKey(key: Document): Document {
  return Object.fromEntries(Object.entries(key).map(([path, direction]) => [path, Number(direction)]));
}
