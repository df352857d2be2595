import { ObjectId, type Document } from 'bson';
import {
  decodeDocument,
  encodeDocument,
  MAX_DOCUMENT_BYTES,
  rankOf,
  RANK,
  valuesEqual,
} from './bson-values.js';
import { badValue, CommandError } from './command-error.js';
import type { IndexDefinition } from './index-definition.js';
import { encodeKey, MAX_KEY_BYTES, successor } from './key-encoding.js';
import type { Storage } from './storage.js';

interface IndexChange {
  index: IndexDefinition;
  removed: Buffer[];
  added: Buffer[];
}

/**
 * One collection: its documents by encoded `_id` (raw BSON), and its indexes (encoded values, then encoded `_id` →
 * encoded `_id`). Every write changes a document and its index entries together or not at all; all refusals come
 * before the first change, so what is mirrored in memory stays true.
 */
export class CollectionStore {
  constructor(
    private readonly storage: Storage,
    readonly namespace: string,
    readonly primary: IndexDefinition,
    private readonly secondary: IndexDefinition[],
    private readonly save: (collection: CollectionStore) => void,
  ) {}

  allIndexes(): IndexDefinition[] {
    return [this.primary, ...this.secondary];
  }

  indexes(): readonly IndexDefinition[] {
    return this.secondary;
  }

  /** The raw document whose `_id` has this encoding (without the tree's prefix). */
  read(idKey: Uint8Array): Buffer | undefined {
    return this.storage.get(Buffer.concat([this.primary.prefix, idKey]));
  }

  /**
   * Stores a new document, raw as it came. Only inside `write`.
   * @throws DuplicateKey (11000), BSONObjectTooLarge (10334), KeyTooLong (17280)
   */
  insert(raw: Buffer, decoded: Document = decodeDocument(raw)): unknown {
    let document = decoded;
    let bytes = raw;
    if (Object.keys(document)[0] !== '_id') {
      // As MongoDB does: `_id` is made when missing, and comes first.
      const { _id: id = new ObjectId(), ...rest } = document;
      document = { _id: id, ...rest };
      bytes = encodeDocument(document);
    }
    const id: unknown = document['_id'];
    assertId(id);
    assertSize(bytes);
    assertFieldNames(document);
    const documentKey = encodeKey(this.primary.prefix, id);
    if (this.storage.has(documentKey)) throw this.duplicate(this.primary, document);
    const changes = this.indexChanges(undefined, document, documentKey.subarray(4));
    this.apply(changes, documentKey, bytes);
    return id;
  }

  /** Puts `after` in the place of `before`, which has the same `_id`. Only inside `write`. */
  replace(before: Document, after: Document): void {
    const id: unknown = before['_id'];
    if (!valuesEqual(id, after['_id'])) {
      throw new CommandError(
        66,
        "Performing an update on the path '_id' would modify the immutable field '_id'",
      );
    }
    const bytes = encodeDocument(after);
    assertSize(bytes);
    assertFieldNames(after);
    const documentKey = encodeKey(this.primary.prefix, id);
    this.apply(this.indexChanges(before, after, documentKey.subarray(4)), documentKey, bytes);
  }

  /** Only inside `write`. */
  delete(document: Document): void {
    const documentKey = encodeKey(this.primary.prefix, document['_id']);
    this.apply(this.indexChanges(document, undefined, documentKey.subarray(4)), documentKey, undefined);
  }

  /** Adds an index and fills it from the documents there are. Only inside `write`. @throws DuplicateKey (11000) */
  addIndex(index: IndexDefinition): void {
    this.storage.atomically(() => {
      for (const { value } of this.storage.range(this.primary.prefix, successor(this.primary.prefix))) {
        const document = decodeDocument(value);
        const idKey = encodeKey(Buffer.alloc(0), document['_id']);
        const { keys, multikeyPaths } = index.keysOf(document);
        for (const path of multikeyPaths) index.multikeyPaths.add(path);
        for (const key of keys) {
          if (index.unique) this.assertUnique(index, key, idKey, document);
          this.storage.put(entryKey(key, idKey), idKey);
        }
      }
      this.secondary.push(index);
      try {
        this.save(this);
      } catch (error) {
        this.secondary.pop();
        throw error;
      }
    });
  }

  /** Only inside `write`. */
  dropIndex(name: string): boolean {
    const at = this.secondary.findIndex((index) => index.name === name);
    const index = this.secondary[at];
    if (!index) return false;
    this.storage.atomically(() => {
      this.storage.removeAll(index.prefix);
      this.secondary.splice(at, 1);
      this.save(this);
    });
    return true;
  }

  private indexChanges(
    before: Document | undefined,
    after: Document | undefined,
    idKey: Buffer,
  ): IndexChange[] {
    const changes: IndexChange[] = [];
    const grown: [IndexDefinition, string][] = [];
    for (const index of this.secondary) {
      const old = before ? index.keysOf(before).keys : [];
      const { keys, multikeyPaths } = after ? index.keysOf(after) : { keys: [], multikeyPaths: [] };
      const added = keys.filter((key) => !old.some((other) => other.equals(key)));
      const removed = old.filter((key) => !keys.some((other) => other.equals(key)));
      if (index.unique && after) for (const key of added) this.assertUnique(index, key, idKey, after);
      for (const path of multikeyPaths) if (!index.multikeyPaths.has(path)) grown.push([index, path]);
      if (added.length > 0 || removed.length > 0) {
        changes.push({
          index,
          removed: removed.map((key) => entryKey(key, idKey)),
          added: added.map((key) => entryKey(key, idKey)),
        });
      }
    }
    if (grown.length > 0) {
      for (const [index, path] of grown) index.multikeyPaths.add(path);
      this.save(this);
    }
    return changes;
  }

  private apply(changes: IndexChange[], documentKey: Buffer, bytes: Buffer | undefined): void {
    const idKey = documentKey.subarray(4);
    this.storage.atomically(() => {
      for (const { removed, added } of changes) {
        for (const key of removed) this.storage.remove(key);
        for (const key of added) this.storage.put(key, idKey);
      }
      if (bytes) this.storage.put(documentKey, bytes);
      else this.storage.remove(documentKey);
    });
  }

  private assertUnique(index: IndexDefinition, key: Buffer, idKey: Buffer, document: Document): void {
    for (const { value } of this.storage.range(key, successor(key))) {
      if (!value.equals(idKey)) throw this.duplicate(index, document);
    }
  }

  private duplicate(index: IndexDefinition, document: Document): CommandError {
    const keyValue = index.keyValueOf(document);
    const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${JSON.stringify(value)}`);
    return new CommandError(
      11000,
      `E11000 duplicate key error collection: ${this.namespace} index: ${index.name} dup key: { ${shown.join(', ')} }`,
      { keyPattern: index.key, keyValue },
    );
  }
}

/** @throws KeyTooLong (17280) */
function entryKey(key: Buffer, idKey: Buffer): Buffer {
  const joined = Buffer.concat([key, idKey]);
  if (joined.length > MAX_KEY_BYTES) {
    throw new CommandError(17280, `index entry of ${joined.length} bytes, the limit is ${MAX_KEY_BYTES}`);
  }
  return joined;
}

function assertId(id: unknown): void {
  const rank = rankOf(id);
  if (rank === RANK.array || rank === RANK.regex)
    throw badValue("The '_id' value cannot be an array or a regex");
}

function assertSize(bytes: Buffer): void {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new CommandError(10334, `BSONObj size: ${bytes.length} is invalid. Size must be at most 16777216`);
  }
}

function assertFieldNames(document: Document): void {
  for (const name of Object.keys(document)) {
    if (name.startsWith('$')) {
      throw new CommandError(52, `The dollar ($) prefixed field '${name}' is not valid for storage.`);
    }
  }
}
