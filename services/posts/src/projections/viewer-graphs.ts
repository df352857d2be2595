import { Injectable, Optional } from '@nestjs/common';
import type { CollectionReads, StoredDocument } from '@pulso/platform/mongo/collection';
import { Clock } from '@pulso/platform/time/clock';
import { LRUCache } from 'lru-cache';
import type { mongo } from 'mongoose';
import { FeedIndex } from '../feed-index/feed-index.js';
import type { ViewerView } from '../feed-index/viewer-view.js';
import type { Viewer } from '../store/viewers.js';
import { BlockRows } from './block.schema.js';
import { FollowRows } from './follow.schema.js';
import { SubscriptionRows } from './subscription.schema.js';
import type { ViewerAccess } from './viewer-access.js';

/** A viewer's compiled feed and access. */
export interface FeedGraph {
  readonly view: ViewerView;
  readonly access: ViewerAccess;
  /** Milliseconds. A subscription ends at this time, and no event announces it. */
  readonly validUntil: number;
  readonly following: number;
}

interface Remembered {
  readonly graphVersion: number;
  access?: Promise<ViewerAccess>;
  /** The promise until it resolves, then the graph itself, so that the hot path awaits nothing. */
  feed?: Promise<FeedGraph> | FeedGraph;
}

/**
 * The limit over all cached viewers, at most 100 bytes or so for each relation; a viewer counts as a few relations.
 */
const REMEMBERED_RELATIONS = 500_000;
const VIEWER_RELATIONS = 20;
const RELATIONS_AT_ONCE = 1_000;

/**
 * Cache of the follows, subscriptions and blocks that a viewer's reads need. They are loaded once per `graphVersion`
 * (see `Viewers` for why that is exact) and compiled for the feed only when the feed is requested.
 */
@Injectable()
export class ViewerGraphs {
  private readonly remembered: LRUCache<string, Remembered>;

  constructor(
    private readonly follows: FollowRows,
    private readonly blocks: BlockRows,
    private readonly subscriptions: SubscriptionRows,
    private readonly index: FeedIndex,
    private readonly clock: Clock,
    @Optional() private readonly maxRelations = REMEMBERED_RELATIONS,
  ) {
    this.remembered = new LRUCache({ maxSize: maxRelations });
  }

  /** The viewer's access, at the viewer's graph version or a newer one. */
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

  /**
   * The compiled feed, at the viewer's graph version or a newer one, with the subscriptions that are currently
   * active.
   */
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

  /** Drops all viewers: after rows have been removed, which no counter reflects. */
  forgetAll(): void {
    this.remembered.clear();
  }

  /** Drops a viewer whose rows have changed; their counter may not have grown yet. */
  forget(viewerId: string): void {
    this.remembered.delete(viewerId);
  }

  /** Replaces an entry of an older version; requests that are still loading that entry keep their reference to it. */
  private entryOf({ id, graphVersion }: Viewer): Remembered {
    const known = this.remembered.get(id);
    if (known && known.graphVersion >= graphVersion) return known;
    const entry: Remembered = { graphVersion };
    this.keep(id, entry, 0);
    return entry;
  }

  private weigh(viewerId: string, entry: Remembered, relations: number): void {
    if (this.remembered.peek(viewerId) !== entry) return;
    // The cache recalculates the size only for a new entry.
    this.remembered.delete(viewerId);
    this.keep(viewerId, entry, relations);
  }

  private keep(viewerId: string, entry: Remembered, relations: number): void {
    const size = Math.min(VIEWER_RELATIONS + relations, this.maxRelations);
    this.remembered.set(viewerId, entry, { size });
  }

  private async loadFeed(viewerId: string, loading: Promise<ViewerAccess>): Promise<FeedGraph> {
    const [access, follows] = await Promise.all([
      loading,
      activeRows(this.follows, { followerId: viewerId }, 'targetId'),
    ]);
    const following = follows.map(({ targetId }) => targetId);
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
    const { blocks, subscriptions } = this;
    const [blocked, blockedBy, subscribed] = await Promise.all([
      activeRows(blocks, { blockerId: viewerId }, 'blockedId'),
      activeRows(blocks, { blockedId: viewerId }, 'blockerId'),
      activeRows(subscriptions, { userId: viewerId }, 'coachId', 'accessUntil'),
    ]);
    const subscribedUntil = new Map(
      subscribed.map(({ coachId, accessUntil }) => [coachId, accessUntil?.getTime() ?? Infinity]),
    );
    return {
      viewerId,
      blocked: new Set(blocked.map(({ blockedId }) => blockedId)),
      blockedBy: new Set(blockedBy.map(({ blockerId }) => blockerId)),
      subscribedUntil,
    };
  }
}

/** All active rows of a viewer, in pages along the index (viewer, active, field), reduced to the named fields. */
async function activeRows<
  Row extends StoredDocument,
  F extends keyof Row & string,
  E extends keyof Row & string,
>(rows: CollectionReads<Row>, of: Partial<Row>, field: F, ...extra: E[]): Promise<Pick<Row, F | E>[]> {
  const projection = Object.fromEntries([['_id', 0], ...[field, ...extra].map((name) => [name, 1])]);
  const all: Pick<Row, F | E>[] = [];
  for (;;) {
    const last = all.at(-1)?.[field];
    const filter = { ...of, active: true, ...(last === undefined ? {} : { [field]: { $gt: last } }) };
    const page = await rows.find(filter as object as mongo.Filter<Row>, {
      projection,
      sort: { [field]: 1 },
      limit: RELATIONS_AT_ONCE,
    });
    all.push(...page);
    if (page.length < RELATIONS_AT_ONCE) return all;
  }
}

function relationsOf({ blocked, blockedBy, subscribedUntil }: ViewerAccess): number {
  return blocked.size + blockedBy.size + subscribedUntil.size;
}
