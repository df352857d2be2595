import type { mongo, Schema } from 'mongoose';
import type { MongoDatabase } from './mongo-database.js';
import { isDuplicateKey, isWorthReadingAgain, READ_BUDGET_MS } from './queries.js';

export interface StoredDocument {
  _id: string;
}

export interface ReadOptions {
  projection?: Readonly<Record<string, 0 | 1>>;
  sort?: Readonly<Record<string, 1 | -1>>;
  limit?: number;
}

/** The declaration of a collection, which the store uses to open it. */
export interface CollectionDeclaration {
  readonly name: string;
  /** Declares the collection's indexes and fields; other fields are refused. */
  readonly schema: Schema<never>;
}

/** The class of a collection: declared beside its schema, listed in the service's store, and its own injection token. */
export interface CollectionClass {
  new (...parts: never): { readonly name: string };
  readonly declaration: CollectionDeclaration;
}

/** Reads of one collection. No read may take longer than a request's whole budget. */
export abstract class CollectionReads<D extends StoredDocument> {
  readonly #raw: mongo.Collection<D>;
  readonly #database: Pick<MongoDatabase, 'read'>;

  constructor(
    readonly name: string,
    raw: mongo.Collection<D>,
    database: Pick<MongoDatabase, 'read'>,
  ) {
    this.#raw = raw;
    this.#database = database;
  }

  async find(filter: mongo.Filter<D>, options: ReadOptions = {}): Promise<D[]> {
    const page = options.limit ? await this.#findAtOnce(filter, options) : undefined;
    if (page) return page;
    // All at once: by default, whatever is beyond the first hundred costs a further command.
    const read = { maxTimeMS: READ_BUDGET_MS, batchSize: options.limit, ...options };
    return this.#raw.find(filter, read).toArray() as Promise<D[]>;
  }

  async findOne(filter: mongo.Filter<D>, options: Omit<ReadOptions, 'limit'> = {}): Promise<D | null> {
    const [found] = await this.find(filter, { ...options, limit: 1 });
    return found ?? null;
  }

  /**
   * A page by one command without the driver's cursor, which takes up to twice the time: it decodes each document apart. Undefined
   * when the cursor has to read: the documents are too long for one answer, whose cursor the store ends by itself, or the driver
   * would repeat the read.
   */
  async #findAtOnce(filter: mongo.Filter<D>, options: ReadOptions): Promise<D[] | undefined> {
    // With a batch as long as the limit, MongoDB would leave its cursor open.
    const read = { filter, ...options, batchSize: options.limit! + 1, maxTimeMS: READ_BUDGET_MS };
    try {
      const { cursor } = await this.#database.read({ find: this.name, ...read });
      const { id, firstBatch } = cursor as { id: unknown; firstBatch: D[] };
      if (id === 0) return firstBatch;
    } catch (error) {
      if (!isWorthReadingAgain(error)) throw error;
    }
    return undefined;
  }

  count(filter: mongo.Filter<D>): Promise<number> {
    return this.#raw.countDocuments(filter, { maxTimeMS: READ_BUDGET_MS });
  }
}

/** A collection that is not published: rows of projections, counters, a service's private data. */
export abstract class PlainCollection<D extends StoredDocument> extends CollectionReads<D> {
  constructor(
    name: string,
    /** The driver's own collection. */
    readonly raw: mongo.Collection<D>,
    private readonly database: Pick<MongoDatabase, 'changed' | 'read'>,
  ) {
    super(name, raw, database);
  }

  /** Call it after a write through `raw` that sets `changedAt`: the tails of other replicas then read it at once. */
  changed(): void {
    this.database.changed(this.name);
  }

  /** Returns false if a unique key of the document is taken. */
  async insertIfNew(document: mongo.OptionalUnlessRequiredId<D>): Promise<boolean> {
    try {
      await this.raw.insertOne(document);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** The same for many by one command. Resolves to the ids of those that were inserted. */
  async insertNew(documents: readonly mongo.OptionalUnlessRequiredId<D>[]): Promise<string[]> {
    const taken = new Set<number>();
    try {
      await this.raw.insertMany(documents, { ordered: false });
    } catch (error) {
      for (const index of refusedAsTaken(error)) taken.add(index);
    }
    return documents.filter((_, index) => !taken.has(index)).map(({ _id }) => String(_id));
  }
}

/** The places in a bulk write of what was refused because a unique key is taken. Throws the error if anything else failed. */
function refusedAsTaken(error: unknown): number[] {
  const { writeErrors, result } = error as mongo.MongoBulkWriteError;
  const refused = writeErrors === undefined ? [] : [writeErrors].flat();
  const isAll = result?.getWriteConcernError() === undefined && refused.every(isDuplicateKey);
  if (refused.length === 0 || !isAll) throw error;
  return refused.map(({ index }) => index);
}

/** `class UserRows extends collection<UserRow>({ name: 'users', schema }) {}`: the class is its own injection token. */
export function collection<D extends StoredDocument>({ name, schema }: { name: string; schema: Schema<D> }) {
  return class extends PlainCollection<D> {
    static readonly declaration: CollectionDeclaration = { name, schema: schema as never };

    constructor(database: MongoDatabase) {
      super(name, database.raw<D>(name), database);
    }
  };
}
