import type { Topic } from '@pulso/contracts/topics/topic';
import type { mongo } from 'mongoose';
import type { EventRecord, RepublishEnd, RepublishStart } from '../events/event-bus.js';
import type { Projection } from '../events/projection.js';
import { republicationOf } from '../events/republish.js';
import type { PlainCollection } from './collection.js';
import { isConfirmed, isStray, judge, type ProjectedRow, strayFields } from './projected-row.js';
import { isDuplicateKey, READ_BUDGET_MS } from './queries.js';
import type { Rebuilds } from './rebuilds.js';
import { upsertIfNewer, upsertIfOlder } from './upsert-if-newer.js';

const PAGE = 1_000;
/** Versions are microseconds since the epoch: a version this far ahead of the clock is a defect, not clock skew. */
const FUTURE_MS = 60 * 60_000;
const CHANGED_NOW = { $currentDate: { changedAt: true } } as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A projection that keeps a row for each key of its topic. Events update the rows; a republication by the topic's owner
 * rebuilds them while they are served: each republished state is compared with the existing row and corrects it if they
 * differ; when the end markers of all partitions have arrived, rows that the republication did not include are removed.
 * Every step may be repeated or interrupted by a crash: the next run repeats all of it.
 */
export abstract class ProjectedRows<State, Row extends ProjectedRow> implements Projection<State> {
  abstract readonly topic: Topic<State>;
  private readonly collection: mongo.Collection<ProjectedRow>;

  constructor(
    protected readonly rows: PlainCollection<Row>,
    private readonly rebuilds: Rebuilds,
  ) {
    this.collection = rows.raw as unknown as mongo.Collection<ProjectedRow>;
    rebuilds.onRebuilt(rows.name, () => this.rebuilt());
  }

  /** The fields of a state that the row stores. Throws for a state that cannot be stored. */
  protected abstract fieldsOf(state: State): Fields | Promise<Fields>;

  /**
   * What follows the write of a row: caches, other rows. Called again, perhaps with an older state of the key, until it has
   * ended once after the row's last write; so a crash or a failure in between loses nothing.
   */
  protected written?(state: State): Promise<void> | void;

  /** Called when a rebuild has ended in any process: all cached rows are invalid. */
  protected abstract rebuilt(): Promise<void> | void;

  /**
   * Idempotent, in any order of events. An event that is known already costs a refused write and a read; what `written` keeps in
   * the memory of this process may then be older.
   */
  async apply(state: State, event: EventRecord): Promise<boolean> {
    const version = await this.write(event, await this.fieldsOf(state));
    if (version === undefined) return false;
    this.rows.changed();
    if (!this.written) return true;
    await this.written(state);
    await this.collection.updateOne({ _id: event.key, version }, { $set: { told: version } });
    return true;
  }

  /** Reads the version from the store. */
  async versionOf(key: string): Promise<number | undefined> {
    const row = await this.rows.findOne({ _id: key } as mongo.Filter<Row>, { projection: { version: 1 } });
    return row?.version;
  }

  republishStarted({ run }: RepublishStart): Promise<void> {
    return this.rebuilds.begin(this.rows.name, run);
  }

  /** Throws, and removes nothing, if states are missing: they are dead letters and must be replayed first. */
  async republishEnded(end: RepublishEnd): Promise<void> {
    const rebuild = await this.rebuilds.partitionEnded(this.rows.name, end);
    if (!rebuild) return;
    const run = { run: end.run, openedAt: rebuild.openedAt };
    let arrived = 0;
    for await (const row of this.all()) if (isConfirmed(row, end.run)) arrived += 1;
    if (arrived < end.states) {
      throw new Error(`rebuilding ${this.rows.name}: only ${arrived} of ${end.states} states have arrived`);
    }
    for await (const row of this.all()) if (isStray(row, run)) await this.collection.deleteOne(asSeen(row));
    await this.rebuilds.finish(this.rows.name, end.run);
  }

  /** Returns the row's version if `written` has not ended since its last write. */
  private async write(event: EventRecord, fields: Fields): Promise<number | undefined> {
    const run = republicationOf(event);
    const openedAt = run === undefined ? undefined : await this.rebuilds.openedAt(this.rows.name, run);
    if (run !== undefined && openedAt) return this.writeRepublished(event, fields, { run, openedAt });
    return this.writeNewer(event, fields);
  }

  private async writeNewer(event: EventRecord, fields: Fields): Promise<number | undefined> {
    const { key, version } = event;
    const projection = { version: 1, confirmedBy: 1, changedAt: 1, told: 1 };
    // Most events are newer than the row. Those of a republication mostly are not.
    const isNews = republicationOf(event) === undefined;
    if (isNews && (await upsertIfOlder(this.collection, key, version, fields, CHANGED_NOW))) return version;
    for (;;) {
      const row = await this.collection.findOne({ _id: key }, { projection, maxTimeMS: READ_BUDGET_MS });
      if (!row || row.version < version) {
        if (await upsertIfNewer(this.collection, key, version, fields, CHANGED_NOW)) return version;
        continue;
      }
      if (row.version > version && (await this.isDefect(row.version, version))) {
        if (await this.change(row, { $set: { ...fields, version }, ...CHANGED_NOW })) return version;
        continue;
      }
      if (row.version === version && republicationOf(event) === undefined) await this.tellAgain(row);
      return row.told === row.version ? undefined : row.version;
    }
  }

  /**
   * Whether a row with a newer version than an event's is overwritten all the same: its version lies in the future, by the
   * store's clock, and would block all events until the next rebuild. The event's own must not lie there too.
   */
  private async isDefect(version: number, ofEvent: number): Promise<boolean> {
    const future = ((await this.rebuilds.storeClock.now()) + FUTURE_MS) * 1000;
    return version > future && ofEvent <= future;
  }

  /** An event of the row's version sets `changedAt`: the owner has the row after all, so no running rebuild removes it. */
  private async tellAgain({ _id, version, changedAt }: ProjectedRow): Promise<void> {
    if (!(await this.rebuilds.hasBegunSince(this.rows.name, changedAt ?? new Date(0)))) return;
    await this.collection.updateOne({ _id, version }, CHANGED_NOW);
  }

  private async writeRepublished(
    event: EventRecord,
    fields: Fields,
    { run, openedAt }: { run: string; openedAt: Date },
  ): Promise<number | undefined> {
    const { key, version } = event;
    const confirmed = { $set: { confirmedBy: run } };
    const taken = (row: ProjectedRow | null) => {
      const stray = row ? strayFields(row, fields) : [];
      return {
        $set: { ...fields, version, confirmedBy: run },
        // The row may have had this version before, with other fields.
        $unset: Object.fromEntries(['told', ...stray].map((name) => [name, ''])),
        ...CHANGED_NOW,
      };
    };
    for (;;) {
      const row = await this.collection.findOne({ _id: key }, { maxTimeMS: READ_BUDGET_MS });
      const verdict = row ? judge(row, { version, fields, run, openedAt }) : 'take';
      if (verdict === 'update') return this.writeNewer(event, fields);
      const change = verdict === 'take' ? taken(row) : confirmed;
      if (row ? await this.change(row, change) : await this.insert(key, change)) {
        return verdict === 'take' ? version : undefined;
      }
    }
  }

  /** Returns false if the row has changed since it was read. */
  private async change(seen: ProjectedRow, change: object): Promise<boolean> {
    const { matchedCount } = await this.collection.updateOne(asSeen(seen), change);
    return matchedCount > 0;
  }

  /** Returns false if such a row exists already. */
  private async insert(key: string, change: object): Promise<boolean> {
    try {
      // No row has a version below -1, so this matches nothing: it inserts or fails.
      await this.collection.updateOne({ _id: key, version: { $lt: -1 } }, change, { upsert: true });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  private async *all(): AsyncGenerator<ProjectedRow> {
    const projection = { version: 1, confirmedBy: 1, changedAt: 1 };
    for (let after = ''; ;) {
      const page = (await this.collection
        .find({ _id: { $gt: after } }, { projection, maxTimeMS: READ_BUDGET_MS })
        .sort({ _id: 1 })
        .limit(PAGE)
        .toArray()) as ProjectedRow[];
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)!._id;
    }
  }
}

/** Matches the row only while it is unchanged since it was read; null matches a missing field. */
function asSeen({ _id, version, confirmedBy, changedAt }: Partial<ProjectedRow>) {
  return {
    _id,
    version: version ?? null,
    confirmedBy: confirmedBy ?? null,
    changedAt: changedAt ?? null,
  } as mongo.Filter<ProjectedRow>;
}
