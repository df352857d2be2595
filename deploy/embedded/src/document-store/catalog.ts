import type { Document } from 'bson';
import { decodeDocument, decodePlain, encodeDocument } from './bson-values.js';
import { CollectionStore } from './collection.store.js';
import { CommandError } from './command-error.js';
import { IndexDefinition, type IndexSpecification } from './index-definition.js';
import { successor, treePrefix } from './key-encoding.js';
import { Storage } from './storage.js';

/** Tree 0 holds the catalog itself: `n` + namespace → the collection's indexes, `t` → the last tree given out. */
const CATALOG_PREFIX = treePrefix(0);
const NAMESPACES = Buffer.concat([CATALOG_PREFIX, Buffer.from('n')]);
const LAST_TREE = Buffer.concat([CATALOG_PREFIX, Buffer.from('t')]);
const FORMAT = Buffer.concat([CATALOG_PREFIX, Buffer.from('f')]);

/** The format of this version's files: raised when keys or catalog change shape. */
const CURRENT_FORMAT = 1;

interface StoredIndex {
  tree: number;
  name: string;
  key: Record<string, 1 | -1>;
  unique: boolean;
  sparse: boolean;
  partialFilterExpression?: Document;
  multikeyPaths: string[];
}

/** The collections of all databases, by namespace (`database.collection`), mirrored in memory. */
export class Catalog {
  readonly storage: Storage;
  private readonly collections = new Map<string, CollectionStore>();

  constructor(directory: string) {
    this.storage = Storage.open(directory, () => this.load());
  }

  static async open(directory: string): Promise<Catalog> {
    const catalog = new Catalog(directory);
    try {
      await catalog.checkFormat();
      catalog.load();
    } catch (error) {
      await catalog.storage.close();
      throw error;
    }
    return catalog;
  }

  find(namespace: string): CollectionStore | undefined {
    return this.collections.get(namespace);
  }

  /** The namespaces of a database, or all. */
  namespaces(database?: string): string[] {
    const all = [...this.collections.keys()].sort();
    return database === undefined ? all : all.filter((namespace) => namespace.startsWith(`${database}.`));
  }

  /** Only inside `storage.write`. */
  findOrCreate(namespace: string): CollectionStore {
    const existing = this.collections.get(namespace);
    if (existing) return existing;
    assertNamespace(namespace);
    const primary = new IndexDefinition(this.nextTree(), '_id_', { _id: 1 }, true, false, undefined);
    const created = new CollectionStore(this.storage, namespace, primary, [], (store) => this.save(store));
    this.save(created);
    this.collections.set(namespace, created);
    return created;
  }

  /** Only inside `storage.write`. */
  drop(namespace: string): boolean {
    const collection = this.collections.get(namespace);
    if (!collection) return false;
    this.storage.atomically(() => {
      for (const index of collection.allIndexes()) this.storage.removeAll(index.prefix);
      this.storage.remove(catalogKey(namespace));
    });
    this.collections.delete(namespace);
    return true;
  }

  /** Only inside `storage.write`. */
  createIndex(collection: CollectionStore, specification: IndexSpecification): void {
    const { name, key, unique, sparse, partialFilterExpression } = specification;
    collection.addIndex(
      new IndexDefinition(this.nextTree(), name, key, unique, sparse, partialFilterExpression),
    );
  }

  close(): Promise<void> {
    return this.storage.close();
  }

  private async checkFormat(): Promise<void> {
    const stored = this.storage.get(FORMAT);
    if (!stored) {
      await this.storage.write(() => this.storage.put(FORMAT, Buffer.from([CURRENT_FORMAT])));
    } else if (stored[0] !== CURRENT_FORMAT) {
      throw new Error(`the document store has format ${stored[0]}, this version reads ${CURRENT_FORMAT}`);
    }
  }

  private load(): void {
    this.collections.clear();
    for (const { key, value } of this.storage.range(NAMESPACES, successor(NAMESPACES))) {
      const namespace = Buffer.from(key.subarray(NAMESPACES.length)).toString();
      const [primary, ...secondary] = readIndexes(value);
      if (!primary) throw new Error(`the catalog entry of ${namespace} names no index`);
      this.collections.set(
        namespace,
        new CollectionStore(this.storage, namespace, primary, secondary, (store) => this.save(store)),
      );
    }
  }

  private save(collection: CollectionStore): void {
    const indexes = collection.allIndexes().map((index) => ({
      tree: index.tree,
      name: index.name,
      key: index.key,
      unique: index.unique,
      sparse: index.sparse,
      partialFilterExpression: index.partialFilterExpression,
      multikeyPaths: [...index.multikeyPaths],
    }));
    this.storage.put(catalogKey(collection.namespace), encodeDocument({ indexes }));
  }

  private nextTree(): number {
    const last = this.storage.get(LAST_TREE);
    const next = (last ? last.readUInt32BE() : 0) + 1;
    this.storage.put(LAST_TREE, treePrefix(next));
    return next;
  }
}

function catalogKey(namespace: string): Buffer {
  return Buffer.concat([NAMESPACES, Buffer.from(namespace)]);
}

function readIndexes(value: Buffer): IndexDefinition[] {
  const stored = decodePlain(value)['indexes'] as StoredIndex[];
  const exact = decodeDocument(value)['indexes'] as StoredIndex[];
  return stored.map((index, at) => {
    const definition = new IndexDefinition(
      index.tree,
      index.name,
      index.key,
      index.unique,
      index.sparse,
      exact[at]!.partialFilterExpression ?? undefined,
    );
    for (const path of index.multikeyPaths) definition.multikeyPaths.add(path);
    return definition;
  });
}

function assertNamespace(namespace: string): void {
  const dot = namespace.indexOf('.');
  const collection = namespace.slice(dot + 1);
  if (dot < 1 || collection === '' || /[$\0]/.test(collection) || namespace.length > 255) {
    throw new CommandError(73, `Invalid namespace specified '${namespace}'`);
  }
  if (collection.startsWith('system.')) {
    throw new CommandError(73, `cannot write to '${namespace}'`);
  }
}
