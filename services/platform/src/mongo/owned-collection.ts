import type { Topic } from '@pulso/contracts/topics/topic';
import type { Model, mongo, Schema } from 'mongoose';
import type { Commits } from '../events/commits.js';
import { nextVersion } from '../events/version.js';
import type { Clock } from '../time/clock.js';
import { type CollectionDeclaration, CollectionReads } from './collection.js';
import type { MongoDatabase } from './mongo-database.js';
import { dirty, type Dirty } from './mongo-outbox.js';

/** What every document of an owned collection has beside its own fields. */
export interface OwnedDocument extends Dirty {
  _id: string;
  /** Grows with every change; every change compares it. */
  version: number;
  /** Set by deleting: the outbox removes the document 7 days after its deletion was published. */
  deletedAt?: Date;
  /** The outbox's own. */
  expiresAt?: Date;
  /** The store's own time of the last change, where the schema declares it: what replicas' tails follow. */
  changedAt?: Date;
}

/** How a schema declares them; `changedAt` is declared by the collections that tails follow. */
export const OWNED_FIELDS = {
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  deletedAt: Date,
  dirtyAt: Date,
  dirtyVersion: Number,
  traceparent: String,
  expiresAt: Date,
} as const;

/** What the collection itself sets with every change. */
type Kept = keyof Dirty | 'version' | 'expiresAt' | 'changedAt';

/** A document that is about to be inserted, whole but for what the insert itself sets. */
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
 * A collection whose documents are published. There is no way to write one without telling: `insert` and `change` give
 * the document a new version, stage it for the outbox in the same write and, once that is committed, tell the listeners
 * of this process and `Commits`. Only fields that are declared `unpublished`, so that the published state cannot contain
 * them, can be written otherwise.
 */
export abstract class OwnedCollection<D extends OwnedDocument, U extends keyof D> extends CollectionReads<D> {
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
    super(declaration.name, raw);
    this.#declaration = declaration;
    this.#database = database;
    this.#model = database.model<D>(declaration.name);
    this.#raw = raw;
    this.#commits = commits;
    this.#clock = clock;
    this.#isFollowed = declaration.schema.path('changedAt') !== undefined;
  }

  /** The version of a document that is about to be made. */
  firstVersion(): number {
    return nextVersion(undefined, this.#clock);
  }

  /** Rejects with a duplicate key where the id, or another unique key, is taken. */
  async insert(document: NewDocument<D>): Promise<D> {
    const { _id, ...fields } = { ...document, ...this.#dirty(document.version) } as unknown as D;
    const inserted = this.#isFollowed
      ? // An upsert, since only updates can take the store's own time. No version is below 0: it inserts or fails.
        await this.#findOneAndUpdate(
          { _id, version: { $lt: 0 } },
          { $setOnInsert: fields, $currentDate: { changedAt: true } },
          { upsert: true },
        )
      : await this.#insertOne({ _id, ...fields } as unknown as D);
    this.#tell(inserted!);
    return inserted!;
  }

  /** Compare-and-set: the changed document, or null when it is no longer as `seen`. */
  async change(seen: Pick<D, '_id' | 'version'>, change: Change<Omit<D, '_id' | Kept>>): Promise<D | null> {
    const version = nextVersion(seen.version, this.#clock);
    const changed = await this.#compareAndSet(seen, change, { version, ...this.#dirty(version) });
    if (changed) this.#tell(changed);
    return changed;
  }

  /**
   * Compare-and-set of fields that are not published. The version grows, so that of two changes the one with the older
   * view is refused, and the listeners of this process hear of it; nothing is published.
   */
  async changeUnpublished(seen: Pick<D, '_id' | 'version'>, set: Partial<Pick<D, U>>): Promise<D | null> {
    const changed = await this.#compareAndSet(
      seen,
      { set },
      { version: nextVersion(seen.version, this.#clock) },
    );
    if (changed) for (const listener of this.#listeners) listener(changed);
    return changed;
  }

  /** Writes fields that are not published to one document, whatever its version, which stays. */
  async setUnpublished(filter: mongo.Filter<D>, change: Change<Pick<D, U>>): Promise<void> {
    await this.#raw.updateOne(filter, updateOf(change as AnyChange) as mongo.UpdateFilter<D>);
  }

  /** Says that a document is in the wanted state already; the caller's next request will see it, too. */
  stands(document: D): void {
    this.#commits.stands(this.#declaration.topic, this.#declaration.toState(document));
  }

  /** `listener` is called with every document that this process has inserted or changed, once that is committed. */
  onCommit(listener: (document: D) => void): void {
    this.#listeners.push(listener);
  }

  /** `work` is done after documents are published and before the outbox forgets them; where it fails it is repeated. */
  beforeForgotten(work: (documents: readonly D[]) => Promise<void>): void {
    this.#database.beforeForgotten(
      this.name,
      work as (documents: readonly mongo.Document[]) => Promise<void>,
    );
  }

  /** The documents that are still to be published, in pages by the time of their change, each once. */
  async *unpublished(pageSize = 500): AsyncGenerator<D[]> {
    const seen = new Set<string>();
    let from = new Date(1);
    let limit = pageSize;
    for (;;) {
      const page = await this.find({ dirtyAt: { $gte: from } } as mongo.Filter<D>, {
        sort: { dirtyAt: 1 },
        limit,
      });
      yield page.filter(({ _id }) => !seen.has(_id));
      for (const { _id } of page) seen.add(_id);
      const last = page.at(-1)?.dirtyAt;
      if (page.length < limit || !last) return;
      // A page within one millisecond: only a longer one gets further.
      if (last.getTime() === from.getTime()) limit *= 2;
      from = last;
    }
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

  /** By mongoose, which refuses fields that the schema does not declare. */
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

  #tell(document: D): void {
    for (const listener of this.#listeners) listener(document);
    this.#commits.committed(this.#declaration.topic, this.#declaration.toState(document));
  }
}

function updateOf({ set = {}, unset = [] }: AnyChange): object {
  return {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((field) => [field, ''])) }),
  };
}

/**
 * `class Posts extends ownedCollection({ name, schema, topic, toState, unpublished }) {}`: the class is its token for
 * injection. `toState` does not even see the `unpublished` fields.
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
  /** What of a document is published. */
  toState: (document: NoInfer<Omit<D, U>>) => S;
  /** Fields that are no part of the state: derived counts, marks of work to be done. */
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
