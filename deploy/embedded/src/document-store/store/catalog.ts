import { deserialize } from 'bson';
import { CommandError } from '../rules/command-error.js';
import { encodeDocument } from '../values/bson-values.js';
import { successor, treePrefix } from '../values/key-encoding.js';
import { CollectionStore } from './collection.store.js';
import { IndexDefinition, type IndexSpecification } from './index-definition.js';
import { Storage, type StorageOptions } from './storage.js';

/** Tree 0 holds the catalog itself: `n` + namespace → the collection's indexes, `t` → the last assigned tree. */
const CATALOG_PREFIX = treePrefix(0);
const NAMESPACES = Buffer.concat([CATALOG_PREFIX, Buffer.from('n')]);
const LAST_TREE = Buffer.concat([CATALOG_PREFIX, Buffer.from('t')]);
const FORMAT = Buffer.concat([CATALOG_PREFIX, Buffer.from('f')]);

/** The file format of this version; incremented when keys or catalog change. */
const CURRENT_FORMAT = 1;

interface StoredIndex extends IndexSpecification {
  tree: number;
  multikeyPaths: string[];
}

/** The collections of all databases by namespace (`database.collection`), mirrored in memory. */
export class Catalog {
  readonly storage: Storage;
  private readonly collections = new Map<string, CollectionStore>();

  private constructor(options: StorageOptions) {
    this.storage = Storage.open(options, () => this.load());
  }

  static async open(options: StorageOptions): Promise<Catalog> {
    const catalog = new Catalog(options);
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

  /** Only inside `storage.write`. */
  findOrCreate(namespace: string): CollectionStore {
    const existing = this.collections.get(namespace);
    if (existing) return existing;
    assertNamespace(namespace);
    const specification = { name: '_id_', key: { _id: 1 as const }, unique: true, sparse: false };
    const created = this.collectionOf(namespace, [new IndexDefinition(this.nextTree(), specification)]);
    this.save(created);
    this.collections.set(namespace, created);
    return created;
  }

  /** The names of a database's collections, in their order. */
  namesIn(database: string): string[] {
    const own = [...this.collections.keys()].filter((namespace) => namespace.startsWith(`${database}.`));
    return own.map((namespace) => namespace.slice(database.length + 1)).sort();
  }

  /** Only inside `storage.write`. */
  drop(dropped: readonly CollectionStore[]): void {
    this.storage.atomically(() => {
      for (const collection of dropped) {
        for (const index of collection.allIndexes()) this.storage.removeAll(index.prefix);
        this.storage.remove(catalogKey(collection.namespace));
      }
    });
    for (const collection of dropped) this.forget(collection);
  }

  /**
   * Gives a collection another namespace; its documents stay where they are. Only inside `storage.write`.
   * @throws NamespaceNotFound (26), NamespaceExists (48), InvalidNamespace (73)
   */
  rename(from: string, to: string): void {
    const collection = this.collections.get(from);
    if (!collection) throw new CommandError(26, `Source collection ${from} does not exist`);
    if (this.collections.has(to)) throw new CommandError(48, `target namespace exists: ${to}`);
    assertNamespace(to);
    const renamed = this.collectionOf(to, [...collection.allIndexes()]);
    this.storage.atomically(() => {
      this.storage.remove(catalogKey(from));
      this.save(renamed);
    });
    this.forget(collection);
    this.collections.set(to, renamed);
  }

  /** Creates all indexes, or none when one cannot be built. Only inside `storage.write`. */
  createIndexes(namespace: string, specifications: IndexSpecification[]): CollectionStore {
    const isNew = !this.collections.has(namespace);
    const before = this.collections.get(namespace)?.allIndexes().length ?? 1;
    try {
      return this.storage.atomically(() => {
        const collection = this.findOrCreate(namespace);
        for (const one of specifications) {
          if (!collection.hasIndex(one)) collection.addIndex(new IndexDefinition(this.nextTree(), one));
        }
        return collection;
      });
    } catch (error) {
      this.collections.get(namespace)?.forgetIndexesFrom(before);
      if (isNew) this.collections.delete(namespace);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.storage.close();
  }

  /** A running query of it fails. */
  private forget(collection: CollectionStore): void {
    collection.isGone = true;
    this.collections.delete(collection.namespace);
  }

  private collectionOf(namespace: string, indexes: IndexDefinition[]): CollectionStore {
    return new CollectionStore(this.storage, namespace, indexes, (collection) => this.save(collection));
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
    for (const collection of this.collections.values()) collection.isGone = true;
    this.collections.clear();
    for (const { key, value } of this.storage.range(NAMESPACES, successor(NAMESPACES))) {
      const namespace = Buffer.from(key.subarray(NAMESPACES.length)).toString();
      const stored = deserialize(value)['indexes'] as StoredIndex[];
      const indexes = stored.map(
        ({ tree, multikeyPaths, ...specification }) =>
          new IndexDefinition(tree, specification, multikeyPaths),
      );
      this.collections.set(namespace, this.collectionOf(namespace, indexes));
    }
  }

  private save(collection: CollectionStore): void {
    const indexes = collection.allIndexes().map(({ tree, specification, multikeyPaths }): StoredIndex => ({
      tree,
      ...specification,
      multikeyPaths: [...multikeyPaths],
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

function assertNamespace(namespace: string): void {
  const collection = namespace.slice(namespace.indexOf('.') + 1);
  if (/[$\0]/.test(collection) || collection.startsWith('system.') || namespace.length > 255) {
    throw new CommandError(73, `Invalid namespace specified '${namespace}'`);
  }
}
