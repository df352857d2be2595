import { Int32, type Document } from 'bson';
import { ENTRIES } from '../rules/allow-list.js';
import { badValue, CommandError } from '../rules/command-error.js';
import type { IndexSpecification } from '../store/index-definition.js';
import { encodeDocument, isDocument, isNumber, numberOf } from '../values/bson-values.js';
import { isPlain } from '../values/document-path.js';
import type { Command } from './command.js';
import { assertFields, namespaceOf } from './command-fields.js';
import { readyDocuments } from './cursor.registry.js';
import { firstBatch } from './find.js';

export const createIndexes: Command = (body, { catalog }) => {
  const namespace = namespaceOf(body);
  const specifications = (body['indexes'] as unknown[]).map(parseSpecification);
  if (specifications.length === 0) throw badValue('Must specify at least one index to create');
  return catalog.storage.write(() => {
    const before = catalog.find(namespace)?.allIndexes().length;
    const after = catalog.createIndexes(namespace, specifications).allIndexes().length;
    return {
      numIndexesBefore: new Int32(before ?? 1),
      numIndexesAfter: new Int32(after),
      createdCollectionAutomatically: before === undefined,
    };
  });
};

/** @throws CannotCreateIndex (67), InvalidIndexSpecificationOption (197), and what `assertFields` throws */
function parseSpecification(spec: unknown): IndexSpecification {
  if (!isDocument(spec)) throw badValue('an index must be a document');
  const unknown = Object.keys(spec).find((option) => !Object.hasOwn(ENTRIES.index, option));
  if (unknown) {
    throw new CommandError(197, `The field '${unknown}' is not valid for an index specification.`);
  }
  assertFields('index', spec, ENTRIES.index);
  const key = Object.entries(spec['key'] as Document).map(([path, direction]): [string, 1 | -1] => {
    const value = isNumber(direction) ? Number(numberOf(direction)) : NaN;
    if ((value !== 1 && value !== -1) || !path.split('.').every(isPlain)) {
      throw new CommandError(67, `index '${path}': only plain fields, 1 and -1 are supported by this server`);
    }
    return [path, value];
  });
  if (key.length === 0) throw new CommandError(67, 'Index keys cannot be empty.');
  return {
    name: spec['name'] as string,
    key: Object.fromEntries(key),
    unique: spec['unique'] === true,
    sparse: spec['sparse'] === true,
  };
}

export const listIndexes: Command = (body, { catalog, cursors }) => {
  const namespace = namespaceOf(body);
  const cursor = (body['cursor'] as Document | undefined) ?? {};
  assertFields('cursor', cursor, ENTRIES.cursor);
  const collection = catalog.find(namespace);
  if (!collection) throw new CommandError(26, `ns does not exist: ${namespace}`);
  const documents = collection.allIndexes().map((index) => encodeDocument(index.describe()));
  return firstBatch(readyDocuments(documents), namespace, cursor, cursors);
};
