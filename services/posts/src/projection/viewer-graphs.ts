import type { Clock } from '@pulso/platform/time/clock';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongoose';
import type { FeedIndex } from '../feed-index/feed-index.js';
import type { ViewerView } from '../feed-index/viewer-view.js';
import type { ViewerAccess } from '../post/visibility.js';
import type { PostsStore } from '../store/posts-store.js';
import { READ_BUDGET_MS } from '../store/queries.js';
import type { Viewer } from './viewers.js';

/** A viewer's compiled feed and whom they may read. */
export interface FeedGraph {
  readonly view: ViewerView;
  readonly access: ViewerAccess;
  /** Ms; a subscription ends then, which nobody tells. */
  readonly validUntil: number;
  readonly following: number;
}

interface Remembered {
  readonly graphVersion: number;
  access?: Promise<ViewerAccess>;
  /** The promise until it is settled, then the graph itself: the hot path waits for nothing. */
  feed?: Promise<FeedGraph> | FeedGraph;
}

/** Of all remembered viewers together, some 100 bytes each at most; a viewer counts as a few. */
const REMEMBERED_RELATIONS = 500_000;
const VIEWER_RELATIONS = 20;
const PAGE = 1_000;

/**
 * Follows, subscriptions and blocks of viewers as their reads need them: loaded once a `graphVersion` (see `Viewers`
 * for why that is exact), compiled for the feed only when the feed is asked for.
 */
export class ViewerGraphs {
  private readonly remembered: LRUCache<string, Remembered>;

  constructor(
    private readonly store: Pick<PostsStore, 'follows' | 'blocks' | 'subscriptions'>,
    private readonly index: Pick<FeedIndex, 'compileViewer'>,
    private readonly clock: Clock,
    private readonly maxRelations = REMEMBERED_RELATIONS,
  ) {
    this.remembered = new LRUCache({ maxSize: maxRelations });
  }

  /** Whom the viewer may read, at the viewer's graph version or a newer one. */
  access(viewer: Viewer): Promise<ViewerAccess> {
    const entry = this.entryOf(viewer);
    if (!entry.access) {
      const loading = this.loadAccess(viewer.id);
      entry.access = loading;
      loading.then(
        (access) => this.weigh(viewer.id, entry, relationsOf(access)),
        () => delete entry.access,
      );
    }
    return entry.access;
  }

  /** The compiled feed, at the viewer's graph version or a newer one and with subscriptions that run now. */
  feed(viewer: Viewer): Promise<FeedGraph> | FeedGraph {
    const entry = this.entryOf(viewer);
    const known = entry.feed;
    if (known && (known instanceof Promise || known.validUntil > this.clock.now())) return known;
    const loading = this.loadFeed(viewer.id, this.access(viewer));
    entry.feed = loading;
    loading.then(
      (graph) => {
        entry.feed = graph;
        this.weigh(viewer.id, entry, relationsOf(graph.access) + graph.following);
      },
      () => delete entry.feed,
    );
    return loading;
  }

  /** Forgets all viewers: rows have been removed, which no counter says. */
  forgetAll(): void {
    this.remembered.clear();
  }

  /** Forgets a viewer: their rows have changed, whether or not the counter says so yet. */
  forget(viewerId: string): void {
    this.remembered.delete(viewerId);
  }

  /** What is filed under an older version stays in the hands of those who are loading it, and is dropped here. */
  private entryOf({ id, graphVersion }: Viewer): Remembered {
    const known = this.remembered.get(id);
    if (known && known.graphVersion >= graphVersion) return known;
    const entry: Remembered = { graphVersion };
    this.keep(id, entry, 0);
    return entry;
  }

  private weigh(viewerId: string, entry: Remembered, relations: number): void {
    if (this.remembered.peek(viewerId) !== entry) return;
    // The cache takes a size with a new value only.
    this.remembered.delete(viewerId);
    this.keep(viewerId, entry, relations);
  }

  private keep(viewerId: string, entry: Remembered, relations: number): void {
    const size = Math.min(VIEWER_RELATIONS + relations, this.maxRelations);
    this.remembered.set(viewerId, entry, { size });
  }

  private async loadFeed(viewerId: string, loading: Promise<ViewerAccess>): Promise<FeedGraph> {
    const [access, following] = await Promise.all([loading, this.followedBy(viewerId)]);
    const now = this.clock.now();
    const subscribed: string[] = [];
    let validUntil = Infinity;
    for (const [coachId, until] of access.subscribedUntil) {
      if (until <= now) continue;
      subscribed.push(coachId);
      validUntil = Math.min(validUntil, until);
    }
    const blocked = [...access.blocked, ...access.blockedBy];
    const view = this.index.compileViewer({ viewerId, following, subscribed, blocked });
    return { view, access, validUntil, following: following.length };
  }

  private async loadAccess(viewerId: string): Promise<ViewerAccess> {
    const { blocks, subscriptions } = this.store;
    const [blocked, blockedBy, subscribed] = await Promise.all([
      this.column(blocks.collection, { blockerId: viewerId }, 'blockedId'),
      this.column(blocks.collection, { blockedId: viewerId }, 'blockerId'),
      this.rows(subscriptions.collection, { userId: viewerId }, 'coachId', { accessUntil: 1 }),
    ]);
    const subscribedUntil = new Map(
      subscribed.map((row) => [
        row['coachId'] as string,
        (row['accessUntil'] as Date | null)?.getTime() ?? Infinity,
      ]),
    );
    return { viewerId, blocked: new Set(blocked), blockedBy: new Set(blockedBy), subscribedUntil };
  }

  private followedBy(viewerId: string): Promise<string[]> {
    return this.column(this.store.follows.collection, { followerId: viewerId }, 'targetId');
  }

  private async column(collection: Collection, of: Record<string, string>, field: string): Promise<string[]> {
    const rows = await this.rows(collection, of, field, {});
    return rows.map((row) => row[field] as string);
  }

  /** All active rows of the viewer, in pages along the index (viewer, active, field). */
  private async rows(
    collection: Collection,
    of: Record<string, string>,
    field: string,
    extra: Record<string, 1>,
  ): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = [];
    for (;;) {
      const last = all.at(-1)?.[field];
      const page = await collection
        .find(
          { ...of, active: true, ...(last === undefined ? {} : { [field]: { $gt: last } }) },
          { projection: { _id: 0, [field]: 1, ...extra }, maxTimeMS: READ_BUDGET_MS },
        )
        .sort({ [field]: 1 })
        .limit(PAGE)
        .toArray();
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }
}

function relationsOf({ blocked, blockedBy, subscribedUntil }: ViewerAccess): number {
  return blocked.size + blockedBy.size + subscribedUntil.size;
}
