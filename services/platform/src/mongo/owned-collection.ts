import type { Topic } from '@pulso/contracts/topics/topic';
import type { Model, mongo, Schema } from 'mongoose';
import type { Commits } from '../events/outbox/commits.js';
import { nextVersion } from '../events/version.js';
import type { Clock } from '../time/clock.js';
import { type CollectionDeclaration, CollectionReads } from './collection.js';
import type { MongoDatabase } from './mongo-database.js';
import { dirty, type Dirty } from './mongo-outbox.js';

/** The fields of every document of an owned collection in addition to its own. */
export interface OwnedDocument extends Dirty {
  _id: string;
  /** Grows with every change; every change checks it. */
  version: number;
  /** Set by a deletion: the outbox removes the document 7 days after the deletion was published. */
  deletedAt?: Date;
  /** Used only by the outbox. */
  expiresAt?: Date;
  /** The time of the last change by the store's clock, if the schema declares it; replicas' tails follow it. */
  changedAt?: Date;
}

/** The schema of these fields; collections that tails follow declare `changedAt` themselves. */
export const OWNED_FIELDS = {
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  deletedAt: Date,
  dirtyAt: Date,
  dirtyVersion: Number,
  traceparent: String,
  expiresAt: Date,
} as const;

/** The fields that the collection itself sets with every change. */
type Kept = keyof Dirty | 'version' | 'expiresAt' | 'changedAt';

/** A document to insert, without the fields that the insert itself sets. */
export type NewDocument<D> = Omit<D, Exclude<Kept, 'version'>>;

export interface OwnedDeclaration<S = unknown> extends CollectionDeclaration {
  readonly topic: Topic<S>;
  toState(document: mongo.Document): S;
}

interface Change<D> {
  readonly set?: Partial<D>;
  readonly unset?: readonly (keyof D)[];
}

interface AnyChange {
  readonly set?: object;
  readonly unset?: readonly PropertyKey[];
}

/**
 * A collection whose documents are published. A document cannot be changed without being published: `insert` and `change`
 * give it a new version, stage it for the outbox in the same write and, after the commit, notify the listeners of this
 * process and `Commits`. Both make the state before they write: a document that has none is refused and not stored. Only
 * fields that are declared `unpublished` can be written in other ways; the published state cannot contain them.
 */
abstract class OwnedCollection<D extends OwnedDocument, U extends keyof D> extends CollectionReads<D> {
  readonly #declaration: OwnedDeclaration;
  readonly #database: MongoDatabase;
  readonly #model: Model<D>;
  readonly #raw: mongo.Collection<D>;
  readonly #commits: Commits;
  readonly #clock: Clock;
  readonly #isFollowed: boolean;
  readonly #listeners: ((document: D) => void)[] = [];

  constructor(declaration: OwnedDeclaration, database: MongoDatabase, commits: Commits, clock: Clock) {
    const raw = database.raw<D>(declaration.name);
    super(declaration.name, raw, database);
    this.#declaration = declaration;
    this.#database = database;
    this.#model = database.model<D>(declaration.name);
    this.#raw = raw;
    this.#commits = commits;
    this.#clock = clock;
    this.#isFollowed = declaration.schema.path('changedAt') !== undefined;
  }

  /** The version for a new document. */
  firstVersion(): number {
    return nextVersion(undefined, this.#clock);
  }

  /** Rejects with a duplicate key error if the id or another unique key is taken. */
  async insert(document: NewDocument<D>): Promise<D> {
    const planned = { ...document, ...this.#dirty(document.version) } as unknown as D;
    const state = this.#stateOf(planned);
    const { _id, ...fields } = planned;
    const inserted = this.#isFollowed
      ? // An upsert, because only updates can use the store's clock. No version is below 0, so it inserts or fails.
        await this.#findOneAndUpdate(
          { _id, version: { $lt: 0 } },
          { $setOnInsert: fields, $currentDate: { changedAt: true } },
          { upsert: true },
        )
      : await this.#insertOne({ _id, ...fields } as unknown as D);
    this.#tell(inserted!, state);
    return inserted!;
  }

  /**
   * Compare-and-set: resolves to the changed document, or to null if the version is no longer that of `seen`. `seen` is the
   * whole document, because its changed state is made before the write; no published field can change without the version.
   */
  async change(seen: D, change: Change<Omit<D, '_id' | Kept>>): Promise<D | null> {
    const version = nextVersion(seen.version, this.#clock);
    const kept = { version, ...this.#dirty(version) };
    const state = this.#stateOf(changedBy(seen, change as AnyChange, kept));
    const changed = await this.#compareAndSet(seen, change, kept);
    if (changed) this.#tell(changed, state);
    return changed;
  }

  /**
   * Compare-and-set of unpublished fields. The version grows, so that a change based on an older version is refused. The
   * listeners of this process are notified; nothing is published.
   */
  async changeUnpublished(seen: Pick<D, '_id' | 'version'>, set: Partial<Pick<D, U>>): Promise<D | null> {
    const changed = await this.#compareAndSet(
      seen,
      { set },
      { version: nextVersion(seen.version, this.#clock) },
    );
    if (changed) this.#notify(changed);
    return changed;
  }

  /** Writes unpublished fields of one document. Neither checks nor changes its version. */
  async setUnpublished(filter: mongo.Filter<D>, change: Change<Pick<D, U>>): Promise<void> {
    await this.#raw.updateOne(filter, updateOf(change as AnyChange) as mongo.UpdateFilter<D>);
  }

  /** The same for all documents of a filter. */
  async setAllUnpublished(filter: mongo.Filter<D>, change: Change<Pick<D, U>>): Promise<void> {
    await this.#raw.updateMany(filter, updateOf(change as AnyChange) as mongo.UpdateFilter<D>);
  }

  /**
   * Call it if a document already has the wanted state: the caller's next request then sees that state too. The token has
   * the version of the last published change, because no consumer gets the version of an unpublished one.
   */
  recordUnchanged(document: D): void {
    const { dirtyVersion: version } = document;
    if (version === undefined) return;
    this.#commits.recordUnchanged(
      this.#declaration.topic,
      this.#declaration.toState({ ...document, version }),
    );
  }

  /** `listener` is called with every document that this process has inserted or changed, after the commit. */
  onCommit(listener: (document: D) => void): void {
    this.#listeners.push(listener);
  }

  /** `work` runs after documents are published and before the outbox marks them so; it is repeated after a failure. */
  beforeOutboxClear(work: (documents: readonly D[]) => Promise<void>): void {
    this.#database.beforeOutboxClear(
      this.name,
      work as (documents: readonly mongo.Document[]) => Promise<void>,
    );
  }

  async #insertOne(document: D): Promise<D> {
    await this.#raw.insertOne({ ...document } as mongo.OptionalUnlessRequiredId<D>);
    return document;
  }

  #compareAndSet(
    { _id, version }: Pick<D, '_id' | 'version'>,
    { set, unset }: AnyChange,
    kept: object,
  ): Promise<D | null> {
    const update = updateOf({ set: { ...set, ...kept }, unset });
    return this.#findOneAndUpdate(
      { _id, version },
      this.#isFollowed ? { ...update, $currentDate: { changedAt: true } } : update,
    );
  }

  /** Uses mongoose, which refuses fields that the schema does not declare. */
  async #findOneAndUpdate(filter: object, update: object, options: object = {}): Promise<D | null> {
    const query = this.#model.findOneAndUpdate(filter as never, update as never, {
      returnDocument: 'after',
      ...options,
    });
    return (await query.lean()) as D | null;
  }

  #dirty(version: number): Dirty {
    return dirty(version, new Date(this.#clock.now()));
  }

  /** Throws if the outbox could not publish the document. */
  #stateOf(document: D): unknown {
    const { topic, toState } = this.#declaration;
    const state = toState(document);
    const key = topic.keyOf(state);
    if (key !== document._id) throw new Error(`${this.name} ${document._id}: its state has the key ${key}`);
    topic.codec.encode(state);
    return state;
  }

  #tell(document: D, state: unknown): void {
    this.#notify(document);
    this.#commits.committed(this.#declaration.topic, state);
  }

  #notify(document: D): void {
    for (const listener of this.#listeners) listener(document);
    if (this.#isFollowed) this.#database.changed(this.name);
  }
}

/** The document after a change. */
function changedBy<D>(seen: D, { set, unset = [] }: AnyChange, kept: object): D {
  const left = Object.entries(seen as object).filter(([name]) => !unset.includes(name));
  return { ...Object.fromEntries(left), ...set, ...kept } as D;
}

function updateOf({ set = {}, unset = [] }: AnyChange): object {
  return {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((field) => [field, ''])) }),
  };
}

/**
 * `class Posts extends ownedCollection({ name, schema, topic, toState, unpublished }) {}`: the class is its own injection
 * token. `toState` does not get the `unpublished` fields.
 */
export function ownedCollection<D extends OwnedDocument, S, const U extends Exclude<keyof D, '_id' | Kept>>({
  name,
  schema,
  topic,
  toState,
}: {
  name: string;
  schema: Schema<D>;
  topic: Topic<S>;
  /** The published state of a document. */
  toState: (document: NoInfer<Omit<D, U>>) => S;
  /** Fields that are not part of the state: derived counts, flags of pending work. */
  unpublished: readonly U[];
}) {
  const declaration = { name, schema, topic, toState } as unknown as OwnedDeclaration;
  return class extends OwnedCollection<D, U> {
    static readonly declaration: OwnedDeclaration = declaration;

    constructor(database: MongoDatabase, commits: Commits, clock: Clock) {
      super(declaration, database, commits, clock);
    }
  };
}
