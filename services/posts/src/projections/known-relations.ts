import type { Topic } from '@pulso/contracts/topics/topic';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { PlainCollection } from '@pulso/platform/mongo/collection';
import type { ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import type { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import type { Viewers } from '../store/viewers.js';
import type { ViewerGraphs } from './viewer-graphs.js';

/** Rows about two users: follows, blocks, subscriptions. A change makes the cached graphs of its `viewersOf` invalid. */
export abstract class KnownRelations<State, Row extends ProjectedRow> extends ProjectedRows<State, Row> {
  abstract override readonly topic: Topic<State, readonly [string, string]>;

  constructor(
    rows: PlainCollection<Row>,
    rebuilds: Rebuilds,
    private readonly viewers: Viewers,
    private readonly graphs: ViewerGraphs,
  ) {
    super(rows, rebuilds);
  }

  /** The users whose feed or access depends on the relation. */
  protected abstract viewersOf(state: State): readonly string[];

  /** Throws for malformed user ids. */
  override async apply(state: State, event: EventRecord): Promise<boolean> {
    for (const id of this.topic.partsOf(event.key)) {
      if (!isId(id)) throw new Error(`${this.topic.name}: not a user id: ${id}`);
    }
    return super.apply(state, event);
  }

  /**
   * The stored version of a row. Drops the cached graphs of its viewers, because their counters may not have grown
   * yet.
   */
  override async versionOf(key: string): Promise<number | undefined> {
    const version = await super.versionOf(key);
    for (const viewerId of this.topic.partsOf(key)) this.graphs.forget(viewerId);
    return version;
  }

  protected override async written(state: State): Promise<void> {
    for (const viewerId of this.viewersOf(state)) await this.viewers.graphChanged(viewerId);
  }

  protected rebuilt(): void {
    this.graphs.forgetAll();
  }
}
