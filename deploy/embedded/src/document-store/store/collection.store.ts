import { ObjectId, type Document, type Timestamp } from 'bson';
import { badValue, CommandError } from '../rules/command-error.js';
import {
  bsonTypeOf,
  decodeDocument,
  encodeDocument,
  isDocument,
  MAX_DOCUMENT_BYTES,
} from '../values/bson-values.js';
import { valuesEqual } from '../values/compare.js';
import { isPosition } from '../values/document-path.js';
import { encodeKey, MAX_KEY_BYTES, successor } from '../values/key-encoding.js';
import type { IndexDefinition, IndexSpecification } from './index-definition.js';
import type { Storage } from './storage.js';

interface Encoded {
  document: Document;
  bytes: Buffer;
}

/** The entries of all indexes that a change of a document removes and adds. */
interface EntryChanges {
  removed: Buffer[];
  added: Buffer[];
}

/**
 * One collection: its documents by encoded `_id` (raw BSON), and its indexes (encoded values, then encoded `_id` →
 * encoded `_id`). Every write changes a document and its index entries together or not at all. All errors are thrown
 * before the first change, so the state in memory stays correct.
 */
export class CollectionStore {
  /** The collection was dropped, or reloaded after an undone write: a running query may miss documents. */
  isGone = false;

  /** @param all its indexes, `_id_` first */
  constructor(
    readonly storage: Storage,
    readonly namespace: string,
    private readonly all: IndexDefinition[],
    private readonly save: (collection: CollectionStore) => void,
  ) {}

  get primary(): IndexDefinition {
    return this.all[0]!;
  }

  allIndexes(): readonly IndexDefinition[] {
    return this.all;
  }

  /** The raw document whose `_id` has this encoding (without the tree's prefix). */
  read(idKey: Uint8Array): Buffer | undefined {
    return this.storage.get(Buffer.concat([this.primary.prefix, idKey]));
  }

  /**
   * Stores the raw bytes of a new document. Only inside `write`.
   * @throws DuplicateKey (11000), BSONObjectTooLarge (10334), KeyTooLong (17280), BadValue (2),
   * DollarPrefixedFieldName (52)
   */
  insert(raw: Buffer): void {
    let document = decodeDocument(raw);
    let bytes = raw;
    if (Object.keys(document)[0] !== '_id') {
      // Like MongoDB, adds a missing `_id` as the first field.
      const { _id: id = new ObjectId(), ...rest } = document;
      document = { _id: id, ...rest };
      bytes = encodeDocument(document);
    }
    const id: unknown = document['_id'];
    if (Array.isArray(id)) throw badValue("The '_id' value cannot be an array");
    assertSize(bytes);
    assertStorable(document);
    const documentKey = encodeKey(this.primary.prefix, id);
    if (this.storage.get(documentKey)) throw this.duplicate(this.primary, documentKey, document);
    const changes = this.entryChanges(this.all.slice(1), undefined, document, documentKey.subarray(4));
    this.apply(changes, documentKey, bytes);
  }

  /**
   * Replaces a raw document by another with the same `_id`; only fields that `touched` names may differ. Only inside `write`.
   */
  replace(raw: Buffer, after: Encoded, touched: ReadonlySet<string>): void {
    const { document, bytes } = after;
    const indexes = this.all
      .slice(1)
      .filter((index) => index.fields.some(({ parts }) => touched.has(parts[0]!)));
    const before = indexes.length > 0 || touched.has('_id') ? decodeDocument(raw) : undefined;
    const id: unknown = (before ?? document)['_id'];
    if (!valuesEqual(id, document['_id'])) {
      throw new CommandError(
        66,
        "Performing an update on the path '_id' would modify the immutable field '_id'",
      );
    }
    assertSize(bytes);
    assertStorable(document);
    const documentKey = encodeKey(this.primary.prefix, id);
    this.apply(this.entryChanges(indexes, before, document, documentKey.subarray(4)), documentKey, bytes);
  }

  /** Only inside `write`. */
  delete(document: Document): void {
    const documentKey = encodeKey(this.primary.prefix, document['_id']);
    const changes = this.entryChanges(this.all.slice(1), document, undefined, documentKey.subarray(4));
    this.apply(changes, documentKey, undefined);
  }

  /** @throws IndexKeySpecsConflict (86), IndexOptionsConflict (85) when an index of the name or key is another */
  hasIndex({ name, key, unique, sparse }: IndexSpecification): boolean {
    for (const { isPrimary, specification: other } of this.all) {
      const sameName = other.name === name;
      const sameKey = JSON.stringify(other.key) === JSON.stringify(key);
      const sameOptions = isPrimary || (other.unique === unique && other.sparse === sparse);
      if (sameKey && sameOptions && (sameName || isPrimary)) return true;
      if (sameName) throw new CommandError(86, `An index named ${name} exists with another definition`);
      if (sameKey && sameOptions)
        throw new CommandError(85, `Index already exists with a different name: ${other.name}`);
    }
    return false;
  }

  /**
   * Adds an index and fills it from the existing documents. Only inside `atomically`. @throws DuplicateKey (11000)
   */
  addIndex(index: IndexDefinition): void {
    for (const { value } of this.storage.range(this.primary.prefix, successor(this.primary.prefix))) {
      const document = decodeDocument(value);
      const idKey = encodeKey(Buffer.alloc(0), document['_id']);
      const { keys, multikeyPaths } = index.keysOf(document);
      for (const path of multikeyPaths) index.multikeyPaths.add(path);
      for (const key of keys) {
        if (index.specification.unique) this.assertUnique(index, key, idKey, document);
        this.storage.put(entryKey(key, idKey), idKey);
      }
    }
    this.all.push(index);
    this.save(this);
  }

  /** Removes indexes whose creation has been undone. */
  forgetIndexesFrom(place: number): void {
    this.all.splice(place);
  }

  private entryChanges(
    indexes: readonly IndexDefinition[],
    before: Document | undefined,
    after: Document | undefined,
    idKey: Buffer,
  ): EntryChanges {
    const changes: EntryChanges = { removed: [], added: [] };
    const grown: [IndexDefinition, string][] = [];
    for (const index of indexes) {
      const old = before ? index.keysOf(before).keys : [];
      const { keys, multikeyPaths } = after ? index.keysOf(after) : { keys: [], multikeyPaths: [] };
      for (const path of multikeyPaths) if (!index.multikeyPaths.has(path)) grown.push([index, path]);
      for (const key of old) {
        if (!keys.some((other) => other.equals(key))) changes.removed.push(entryKey(key, idKey));
      }
      for (const key of keys) {
        if (old.some((other) => other.equals(key))) continue;
        if (index.specification.unique) this.assertUnique(index, key, idKey, after!);
        changes.added.push(entryKey(key, idKey));
      }
    }
    if (grown.length > 0) this.noteArrays(grown);
    return changes;
  }

  /** The state in memory must not be ahead of the stored state: otherwise later arrays would not be recorded. */
  private noteArrays(grown: [IndexDefinition, string][]): void {
    for (const [index, path] of grown) index.multikeyPaths.add(path);
    try {
      this.save(this);
    } catch (error) {
      for (const [index, path] of grown) index.multikeyPaths.delete(path);
      throw error;
    }
  }

  private apply({ removed, added }: EntryChanges, documentKey: Buffer, bytes: Buffer | undefined): void {
    const idKey = documentKey.subarray(4);
    const put = added.map((key) => [key, idKey] as const);
    if (bytes) this.storage.change(removed, [...put, [documentKey, bytes]]);
    else this.storage.change([...removed, documentKey], put);
  }

  private assertUnique(index: IndexDefinition, key: Buffer, idKey: Buffer, document: Document): void {
    for (const { value } of this.storage.range(key, successor(key))) {
      if (!value.equals(idKey)) throw this.duplicate(index, key, document);
    }
  }

  private duplicate(index: IndexDefinition, doubled: Buffer, document: Document): CommandError {
    const { name, key: keyPattern } = index.specification;
    const keyValue = index.keyValueOf(document, doubled);
    const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${shownValue(value)}`);
    return new CommandError(
      11000,
      `E11000 duplicate key error collection: ${this.namespace} index: ${name} dup key: { ${shown.join(', ')} }`,
      { keyPattern, keyValue },
    );
  }
}

function shownValue(value: unknown): string {
  return value instanceof ObjectId ? `ObjectId('${value.toHexString()}')` : JSON.stringify(value);
}

/** @throws KeyTooLong (17280) */
function entryKey(key: Buffer, idKey: Buffer): Buffer {
  const joined = Buffer.concat([key, idKey]);
  if (joined.length > MAX_KEY_BYTES) {
    throw new CommandError(17280, `index entry of ${joined.length} bytes, the limit is ${MAX_KEY_BYTES}`);
  }
  return joined;
}

function assertSize(bytes: Buffer): void {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new CommandError(10334, `BSONObj size: ${bytes.length} is invalid. Size must be at most 16777216`);
  }
}

/** Refuses values that would not be read back as MongoDB does. */
function assertStorable(document: Document): void {
  assertNames(document);
  for (const value of Object.values(document)) {
    // MongoDB would replace it by its own time.
    if (bsonTypeOf(value) === 'Timestamp' && (value as Timestamp).isZero())
      throw badValue('an empty timestamp is not filled in by this server');
  }
}

/** Also refuses names that look like numbers, because a decoded document loses their order. */
function assertNames(value: unknown): void {
  if (Array.isArray(value)) value.forEach(assertNames);
  if (!isDocument(value)) return;
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    if (name.startsWith('$')) {
      throw new CommandError(52, `The dollar ($) prefixed field '${name}' is not valid for storage.`);
    }
    if (isPosition(name) || name === '__proto__') {
      throw badValue(`the field name '${name}' is not supported by this server`);
    }
    assertNames(inner);
  }
}
