import type { EventRecord } from '@pulso/platform/events/event-bus';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { PostsStore } from '../store/posts-store.js';
import { READ_BUDGET_MS } from '../store/queries.js';
import type { ProjectedRows } from './rebuild/projected-rows.js';
import type { ViewerGraphs } from './viewer-graphs.js';
import type { Viewers } from './viewers.js';

export type GraphCollection = 'follows' | 'blocks' | 'subscriptions';

/** The rows of the social graph that posts projects: who follows, blocks and subscribes to whom. */
export class GraphRows {
  constructor(
    private readonly store: PostsStore,
    private readonly rows: Readonly<Record<GraphCollection, ProjectedRows>>,
    private readonly viewers: Viewers,
    private readonly graphs: ViewerGraphs,
  ) {}

  /**
   * Idempotent by version. The viewers' counters grow even when the row was there already: the delivery that wrote it
   * may have died before it came to them. Throws for ids that are none of ours.
   */
  async write(
    collection: GraphCollection,
    event: EventRecord,
    fields: Readonly<Record<string, unknown>>,
    viewerIds: readonly string[],
  ): Promise<void> {
    for (const id of event.key.split('_')) {
      if (!isId(id)) throw new Error(`${collection}: ${id} is no user's id`);
    }
    if (!(await this.rows[collection].write(event, fields))) return;
    for (const viewerId of viewerIds) await this.viewers.graphChanged(viewerId);
  }

  /** The version held of a row. Those it concerns are forgotten, as their counters may not have grown yet. */
  async versionOf(collection: GraphCollection, key: string): Promise<number | undefined> {
    const row = await this.store[collection].collection.findOne({ _id: key } as object, {
      projection: { version: 1 },
      maxTimeMS: READ_BUDGET_MS,
    });
    for (const viewerId of key.split('_')) this.graphs.forget(viewerId);
    return row?.['version'] as number | undefined;
  }
}
