import { Injectable } from '@nestjs/common';
import { timeOfId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { LRUCache } from 'lru-cache';
import { FeedIndex } from '../feed-index/feed-index.js';
import { CachedPost } from '../post/cached-post.js';
import { PostRepository } from '../store/post.repository.js';
import type { PostDocument } from '../store/post.schema.js';

/**
 * The fields of a post that the tail reads: those the index needs, and the version, which shows whether a cached post
 * is stale.
 */
export type PostChange = Pick<
  PostDocument,
  | '_id'
  | 'changedAt'
  | 'authorId'
  | 'visibility'
  | 'importedAt'
  | 'live'
  | 'version'
  | 'likeCount'
  | 'commentCount'
  | 'importedComments'
>;

const REMEMBERED_POSTS = 20_000;
const REMEMBERED_BYTES = 64 * 1024 * 1024;
/** Longer than any read takes, and longer than the overlap of the tail's polls. */
const VERSIONS_KEPT_MS = 60_000;
/** A replica's clock may be this far ahead without its posts being left out of the feed. */
const CLOCK_SKEW_MS = 10_000;

/**
 * This process's view of the posts in the store: the feed index over all posts, and a cache of posts. Changes arrive
 * from own writes at once and from the tail, in any order and repeatedly; the newest version wins.
 */
@Injectable()
export class LivePosts {
  private readonly cache = new LRUCache<string, CachedPost>({
    max: REMEMBERED_POSTS,
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ size }) => size,
  });
  /** Recently applied versions, in two generations: a late change is older than one of these. */
  private versions = new Map<string, number>();
  private olderVersions = new Map<string, number>();
  private generationEnds = -Infinity;
  private newest = 0;

  constructor(
    private readonly posts: PostRepository,
    readonly index: FeedIndex,
    private readonly clock: Clock,
  ) {}

  /** Applies a post that this process has just written or read. */
  apply(post: PostDocument): void {
    if (!this.advance(post)) return;
    if (post.live) this.cache.set(post._id, CachedPost.of(post));
  }

  /**
   * Applies changes that the tail has read. During catch-up nothing else changes posts here, so no versions are kept.
   */
  applyChanges(changes: readonly PostChange[], catchingUp: boolean): void {
    for (const change of changes) {
      if (catchingUp) this.place(change);
      else this.advance(change);
      const cached = this.cache.peek(change._id);
      if (cached && cached.post.version < change.version) this.cache.delete(change._id);
    }
  }

  /** The posts with `ids` in their order, undefined for deleted posts; a promise only when some must be loaded. */
  cachedPosts(
    ids: readonly string[],
  ): readonly (CachedPost | undefined)[] | Promise<readonly (CachedPost | undefined)[]> {
    // Eviction is in order of insertion, not of use: tracking uses would cost more than the look-up.
    const found = ids.map((id) => this.cache.peek(id));
    return found.includes(undefined) ? this.load(ids, found) : found;
  }

  /** The ranking's clock for a first page, ms. */
  now(): number {
    const now = this.clock.now();
    return this.newest > now && this.newest <= now + CLOCK_SKEW_MS ? this.newest : now;
  }

  private async load(
    ids: readonly string[],
    found: (CachedPost | undefined)[],
  ): Promise<readonly (CachedPost | undefined)[]> {
    const missing = ids.filter((_, position) => found[position] === undefined);
    const read = new Map<string, CachedPost>();
    for (const post of await this.posts.findAll(missing)) {
      const cached = CachedPost.of(post);
      read.set(post._id, cached);
      // A post that changed while it was read must not be cached.
      if ((this.versionOf(post._id) ?? 0) <= post.version) this.cache.set(post._id, cached);
    }
    return ids.map((id, position) => found[position] ?? read.get(id));
  }

  /** Applies the change to the index and the versions if it is newer; returns whether it was. */
  private advance(change: PostChange): boolean {
    if ((this.versionOf(change._id) ?? 0) >= change.version) return false;
    this.rotate();
    this.versions.set(change._id, change.version);
    this.place(change);
    return true;
  }

  /**
   * What is imported may have any time: it is ranked for those alone who have chosen its author (FEED-1). An author has not received
   * the comments that they have imported (PEOPLE-2).
   */
  private place({ _id, authorId, live, likeCount, ...change }: PostChange): void {
    if (live) {
      const relatedOnly = change.importedAt !== undefined || change.visibility === 'subscribers';
      const comments = change.commentCount - (change.importedComments ?? 0);
      this.index.upsert({ id: _id, authorId, relatedOnly, likes: likeCount, comments });
      this.newest = Math.max(this.newest, timeOfId(_id));
    } else {
      this.index.remove(_id);
      this.cache.delete(_id);
    }
  }

  private versionOf(id: string): number | undefined {
    return this.versions.get(id) ?? this.olderVersions.get(id);
  }

  private rotate(): void {
    const now = performance.now();
    if (now < this.generationEnds) return;
    this.generationEnds = now + VERSIONS_KEPT_MS;
    this.olderVersions = this.versions;
    this.versions = new Map();
  }
}
