import type { OnApplicationShutdown } from '@nestjs/common';
import { type Connection, createConnection, type Model, type mongo } from 'mongoose';
import type { CollectionDeclaration } from './collection.js';
import type { MongoOutboxBinding } from './mongo-outbox.js';
import type { OwnedDeclaration } from './owned-collection.js';
import type { StoreTime } from './store-clock.js';

export interface MongoLimits {
  /** Milliseconds for a connection, and for finding a server. The driver's default of 30 s would keep a process alive that gave up. */
  connectMs: number;
  /** Milliseconds that an operation waits for a free connection of the pool; the driver's default has no limit. */
  waitMs: number;
  /** Milliseconds without an answer after which a connection is given up; 0 never. The driver repeats a read once. */
  socketMs: number;
  /** Milliseconds between questions whether the server is there; without an answer all its connections are given up. */
  heartbeatMs: number;
}

export const REQUEST_LIMITS: MongoLimits = {
  connectMs: 5_000,
  waitMs: 5_000,
  // Above the longest time of a read.
  socketMs: 10_000,
  heartbeatMs: 5_000,
};

/** The build of an index may take any time. */
export const MIGRATION_LIMITS: MongoLimits = { ...REQUEST_LIMITS, socketMs: 0 };

const BSON_OPTIONS = { promoteBuffers: true };
const READ_CONCERN = 'majority';

type ForgetWork = (documents: readonly mongo.Document[]) => Promise<void>;

const isOwned = (declaration: CollectionDeclaration): declaration is OwnedDeclaration =>
  'topic' in declaration;

export const ownedOf = (declarations: readonly CollectionDeclaration[]) => declarations.filter(isOwned);

/** A service's open database. Only the collection classes and the store use it; use cases use the collection classes. */
export class MongoDatabase implements OnApplicationShutdown {
  /** How the outbox publishes each owned collection. */
  readonly bindings: readonly MongoOutboxBinding<unknown>[];
  private readonly forgetWork = new Map<string, ForgetWork[]>();
  private readonly changeListeners: ((collection: string) => void)[] = [];

  private constructor(
    private readonly connection: Connection,
    private readonly declarations: readonly CollectionDeclaration[],
  ) {
    for (const { name, schema } of declarations) connection.model(name, schema, name);
    this.bindings = ownedOf(declarations).map(({ name, topic, toState }) => ({
      collection: () => this.raw<never>(name) as unknown as mongo.Collection,
      topic,
      toState,
      beforeOutboxClear: async (documents) => {
        for (const work of this.forgetWork.get(name) ?? []) await work(documents);
      },
    }));
  }

  static async open(
    { url, pool }: { url: string; pool: number },
    declarations: readonly CollectionDeclaration[],
    { connectMs, waitMs, socketMs, heartbeatMs } = REQUEST_LIMITS,
  ): Promise<MongoDatabase> {
    const connection = createConnection(url, {
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      maxPoolSize: pool,
      serverSelectionTimeoutMS: connectMs,
      connectTimeoutMS: connectMs,
      waitQueueTimeoutMS: waitMs,
      socketTimeoutMS: socketMs,
      heartbeatFrequencyMS: heartbeatMs,
      ...BSON_OPTIONS,
      readConcernLevel: READ_CONCERN,
      w: 'majority',
    });
    await connection.asPromise();
    return new MongoDatabase(connection, declarations);
  }

  /** The driver's own collection. */
  raw<D extends object>(name: string): mongo.Collection<D> {
    return this.connection.db!.collection<D>(name);
  }

  model<D>(name: string): Model<D> {
    return this.connection.model<D>(name);
  }

  /** Runs a `find` with the read concern of all reads. The driver does not repeat it, unlike its own reads. */
  read(find: mongo.Document & { find: string }): Promise<mongo.Document> {
    const command = { ...find, readConcern: { level: READ_CONCERN } };
    return this.connection.db!.command(command, BSON_OPTIONS);
  }

  /** The database's name. */
  get name(): string {
    return this.connection.name;
  }

  /** Call it after a write by this process that tails follow, which is one that sets `changedAt`: other replicas hear of it. */
  changed(collection: string): void {
    for (const listener of this.changeListeners) listener(collection);
  }

  /** `listener` gets the collection of each such write. */
  onChange(listener: (collection: string) => void): void {
    this.changeListeners.push(listener);
  }

  /** The collections whose schema declares a field. */
  namesWith(field: string): string[] {
    return this.declarations.filter(({ schema }) => schema.path(field) !== undefined).map(({ name }) => name);
  }

  beforeOutboxClear(name: string, work: ForgetWork): void {
    this.forgetWork.set(name, [...(this.forgetWork.get(name) ?? []), work]);
  }

  /** Creates the missing indexes; safe to repeat. */
  async createIndexes(): Promise<void> {
    for (const { name } of this.declarations) await this.model(name).createIndexes();
  }

  /** The names of the collections that lack an index which this version declares. */
  async missingIndexes(): Promise<string[]> {
    const missing: string[] = [];
    for (const { name } of this.declarations) {
      const { toCreate } = await this.model(name).diffIndexes();
      if (toCreate.length > 0) missing.push(name);
    }
    return missing;
  }

  /** Rejects when the database does not answer. */
  async ping(): Promise<void> {
    await this.connection.db!.command({ ping: 1 });
  }

  /** The primary's clock. */
  async time(): Promise<StoreTime> {
    const { localTime, me, electionId } = await this.connection.db!.command({ hello: 1 });
    return { time: (localTime as Date).getTime(), primary: `${String(me)} ${String(electionId)}` };
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
