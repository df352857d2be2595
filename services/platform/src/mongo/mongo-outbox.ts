import type { Topic } from '@pulso/contracts/topics/topic';
import type { mongo } from 'mongoose';
import { currentContext } from '../context/request-context.js';
import type { EventRecord } from '../events/event-bus.js';
import { eventOf } from '../events/event-record.js';
import { type EventFailure, EventsFailed } from '../events/events-failed.js';
import type { OutboxExcept, OutboxSource, Pending } from '../events/outbox/outbox-source.js';
import { type Clock, systemClock } from '../time/clock.js';
import type { MongoLease } from './mongo-lease.js';

/**
 * A collection whose changes are published; the `_id` of a document is the key of its events. Each published change sets `version` (see `nextVersion`) and the fields of
 * `dirty` in the same update; a deletion sets `deletedAt` (a Date) and removes the content. `OwnedCollection` does this.
 */
export interface MongoOutboxBinding<T> {
  collection: () => mongo.Collection;
  topic: Topic<T>;
  toState(document: mongo.Document): T;
  /**
   * Called when the events of these document states are durable and before the outbox marks them as published; called
   * again for the same states after a failure or a crash. `EventsFailed` names the documents for which it has failed. If it
   * rejects in another way for several documents, it is called for each of them alone, so that one document cannot hold back
   * the others.
   */
  beforeOutboxClear?(documents: readonly mongo.Document[]): Promise<void>;
}

/** The indexes that every such collection needs. Only the outbox uses `expiresAt`. */
export const MONGO_OUTBOX_INDEXES = [
  { key: { dirtyAt: 1 }, sparse: true },
  { key: { expiresAt: 1 }, sparse: true },
] as const;

/** The fields of a changed document that is not published yet, with the trace of the request that changed it. */
export interface Dirty {
  dirtyAt?: Date;
  /**
   * The version of the change. It identifies the change: unpublished changes raise `version` too, and two changes may have
   * the same `dirtyAt`. It stays after the publication: consumers get this version or a newer one, which is not true of
   * `version`.
   */
  dirtyVersion?: number;
  traceparent?: string;
}

/** The fields of a change to `version` at `now`. The rows of `PostgresOutbox` hold the same data. */
export function dirty(version: number, now: Date): Dirty {
  const traceparent = currentContext()?.traceparent;
  const change = { dirtyAt: now, dirtyVersion: version };
  return traceparent === undefined ? change : { ...change, traceparent };
}

const CLEAN = { dirtyAt: '', traceparent: '' } as const;

const KEEP_DELETED_MS = 7 * 24 * 60 * 60_000;
const REMOVAL_BATCH = 500;
// A range, because with `$exists` alone not every planner uses a sparse index.
const ANY_DATE = { $gt: new Date(0) };

const NO_EXCEPTIONS: OutboxExcept = { topics: [], entities: [] };

interface Origin {
  binding: MongoOutboxBinding<unknown>;
  document: mongo.WithId<mongo.Document>;
}

/**
 * The changed documents of MongoDB collections as an outbox. A document is pending while it has `dirtyAt`; its current
 * state is published. Any number of relays may read the outbox.
 */
export class MongoOutbox implements OutboxSource {
  readonly topics: readonly string[];
  private readonly origins = new WeakMap<EventRecord, Origin>();

  constructor(
    private readonly bindings: readonly MongoOutboxBinding<unknown>[],
    private readonly lease: Pick<MongoLease, 'claim' | 'unclaim'>,
    private readonly clock: Clock = systemClock,
  ) {
    this.topics = bindings.map(({ topic }) => topic.name);
  }

  async pending(limit: number, except = NO_EXCEPTIONS): Promise<Pending> {
    const read = this.bindings.filter(({ topic }) => !except.topics.includes(topic.name));
    const found = await Promise.all(read.map((binding) => this.changed(binding, limit, except)));
    const pending: Pending = { events: [], failures: [] };
    for (const origin of fairShare(found, limit)) {
      try {
        const event = stateEvent(origin);
        this.origins.set(event, origin);
        pending.events.push(event);
      } catch (error) {
        pending.failures.push(failure(origin, error));
      }
    }
    return pending;
  }

  /** `events` must be the same objects that `pending` returned. */
  async published(events: readonly EventRecord[]): Promise<void> {
    const origins = events.map((event) => this.originOf(event));
    const results = await Promise.allSettled(
      this.bindings.map((binding) =>
        this.forget(
          binding,
          origins.filter((origin) => origin.binding === binding).map(({ document }) => document),
        ),
      ),
    );
    const broken = results.filter((result) => result.status === 'rejected');
    // The store has failed. What failed for single documents comes again with the next reading.
    if (broken.length > 0) throw broken[0]!.reason;
    const failures = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (failures.length > 0) throw new EventsFailed('the outbox keeps published events', failures);
  }

  claim(): Promise<boolean> {
    return this.lease.claim();
  }

  unclaim(): Promise<void> {
    return this.lease.unclaim();
  }

  async depth(): Promise<number> {
    const counts = await Promise.all(
      this.bindings.map((binding) => binding.collection().countDocuments({ dirtyAt: ANY_DATE })),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Removes deleted documents 7 days after their deletion was published; until then republications include it. */
  async removeExpired(stopping: AbortSignal): Promise<void> {
    for (const binding of this.bindings) {
      let isMore = true;
      while (isMore && !stopping.aborted) {
        isMore = (await this.removeBatch(binding.collection())) === REMOVAL_BATCH;
      }
    }
  }

  private async changed(
    binding: MongoOutboxBinding<unknown>,
    limit: number,
    { entities }: OutboxExcept,
  ): Promise<Origin[]> {
    const left = entities.filter(({ topic }) => topic === binding.topic.name).map(({ key }) => key);
    const documents = await binding
      .collection()
      .find({
        dirtyAt: ANY_DATE,
        ...(left.length > 0 && { _id: { $nin: left } }),
      } as mongo.Filter<mongo.Document>)
      .sort({ dirtyAt: 1 })
      .limit(limit)
      .toArray();
    return documents.map((document) => ({ binding, document }));
  }

  /** Marks these documents as published, except those that `beforeOutboxClear` rejects; resolves to its errors. */
  private async forget(
    binding: MongoOutboxBinding<unknown>,
    documents: readonly mongo.WithId<mongo.Document>[],
  ): Promise<EventFailure[]> {
    if (documents.length === 0) return [];
    const failures = await failuresOf(binding, documents);
    const failed = new Set(failures.map(({ key }) => key));
    const done = documents.filter((document) => !failed.has(keyOf(document)));
    if (done.length > 0) {
      await binding.collection().bulkWrite(
        done.map((document) => this.clean(document)),
        { ordered: false },
      );
    }
    return failures;
  }

  private originOf(event: EventRecord): Origin {
    const origin = this.origins.get(event);
    if (!origin) throw new Error(`${event.id} did not come from this outbox`);
    return origin;
  }

  /**
   * Matches only if the document has not changed again: a newer change must still be published. During a rolling upgrade
   * a replica of the version before `dirtyVersion` leaves that field as it is: `dirtyAt` tells its change.
   */
  private clean(document: mongo.WithId<mongo.Document>) {
    const { dirtyAt, dirtyVersion } = document as Dirty;
    const filter = { _id: document._id, dirtyAt, dirtyVersion };
    if (!document.deletedAt)
      return { updateOne: { filter, update: { $unset: { ...CLEAN, expiresAt: '' } } } };
    const expiresAt = new Date(this.clock.now() + KEEP_DELETED_MS);
    const update = { $unset: CLEAN, $set: { expiresAt } };
    return { updateOne: { filter, update } };
  }

  private async removeBatch(collection: mongo.Collection): Promise<number> {
    const expired = { expiresAt: { $lte: new Date(this.clock.now()) } };
    const found = await collection
      .find(expired, { projection: { _id: 1 } })
      .sort({ expiresAt: 1 })
      .limit(REMOVAL_BATCH)
      .toArray();
    if (found.length === 0) return 0;
    // A document may have been restored or changed after its deletion was published: its next publication decides again.
    const { deletedCount } = await collection.deleteMany({
      _id: { $in: found.map(({ _id }) => _id) },
      ...expired,
      deletedAt: ANY_DATE,
      dirtyAt: { $exists: false },
    });
    return deletedCount;
  }
}

/**
 * The oldest `limit` documents, where each collection may have an equal share of the places before the others take more:
 * old documents that stay in the outbox after failures must not keep the other collections out.
 */
function fairShare(found: readonly Origin[][], limit: number): Origin[] {
  const share = Math.ceil(limit / found.length);
  const first = oldestFirst(found.flatMap((origins) => origins.slice(0, share)));
  const others = oldestFirst(found.flatMap((origins) => origins.slice(share)));
  return oldestFirst([...first, ...others].slice(0, limit));
}

function oldestFirst(origins: readonly Origin[]): Origin[] {
  return origins.toSorted((a, b) => a.document['dirtyAt'] - b.document['dirtyAt']);
}

const keyOf = ({ _id }: mongo.WithId<mongo.Document>) => String(_id);

function failure({ binding, document }: Origin, error: unknown): EventFailure {
  return { topic: binding.topic.name, key: keyOf(document), error };
}

/** Throws if the document has no state, or not that of its id: the outbox could then not leave it out by its key. */
function stateEvent({ binding, document }: Origin): EventRecord {
  const { traceparent } = document as Dirty;
  const event = eventOf(binding.topic, binding.toState(document), { traceparent });
  if (event.key !== keyOf(document)) throw new Error(`its state has the key ${event.key}`);
  return event;
}

/** Runs `beforeOutboxClear` and returns the documents for which it fails. */
async function failuresOf(
  binding: MongoOutboxBinding<unknown>,
  documents: readonly mongo.WithId<mongo.Document>[],
): Promise<EventFailure[]> {
  try {
    await binding.beforeOutboxClear?.(documents);
    return [];
  } catch (error) {
    const keys = new Set(documents.map(keyOf));
    if (error instanceof EventsFailed && error.failures.every(({ key }) => keys.has(key))) {
      return [...error.failures];
    }
    if (documents.length === 1) return [failure({ binding, document: documents[0]! }, error)];
  }
  const alone = await Promise.all(documents.map((document) => failuresOf(binding, [document])));
  return alone.flat();
}
