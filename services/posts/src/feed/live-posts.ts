import { Injectable } from '@nestjs/common';
import { timeOfId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { LRUCache } from 'lru-cache';
import { FeedIndex } from '../feed-index/feed-index.js';
import { PostBody } from '../post/post.js';
import type { PostDocument } from '../post/post.schema.js';
import { PostRepository } from '../post/post.repository.js';

/** What the tail reads of a post: all that the index needs, and whether a remembered body is out of date. */
export type PostChange = Pick<
  PostDocument,
  '_id' | 'changedAt' | 'authorId' | 'visibility' | 'live' | 'version'
>;

const REMEMBERED_BODIES = 20_000;
const REMEMBERED_CODE_UNITS = 64 * 1024 * 1024;
/** Longer than any read is under way, longer than the tail's overlap. */
const VERSIONS_KEPT_MS = 60_000;
/** A replica's clock may be ahead of ours by this much without its posts being left out of the feed. */
const CLOCK_SKEW_MS = 10_000;

/**
 * The posts of the store as this process holds them: the feed's index over all, the bodies of some. Changes arrive from
 * own writes at once and from the tail, in any order and repeatedly; the newest version wins.
 */
@Injectable()
export class LivePosts {
  private readonly bodies = new LRUCache<string, PostBody>({
    max: REMEMBERED_BODIES,
    maxSize: REMEMBERED_CODE_UNITS,
    // The text, and as most viewers see it (`viewSharedPost`) its encoding and its JSON.
    sizeCalculation: (body) => 3 * body.content.length + 1_200,
  });
  /** Versions applied lately, in two generations: what is late is older than one of these. */
  private versions = new Map<string, number>();
  private olderVersions = new Map<string, number>();
  private generationEnds = -Infinity;
  private newest = 0;

  constructor(
    private readonly posts: PostRepository,
    readonly index: FeedIndex,
    private readonly clock: Clock,
  ) {}

  /** A post just written or read by this process. */
  apply(post: PostDocument): void {
    if (!this.advance(post)) return;
    if (post.live) this.bodies.set(post._id, PostBody.of(post));
  }

  /** What the tail has read. While catching up nothing else changes posts here, so no versions need keeping. */
  applyChanges(changes: readonly PostChange[], catchingUp: boolean): void {
    for (const change of changes) {
      if (catchingUp) this.place(change);
      else this.advance(change);
      const body = this.bodies.peek(change._id);
      if (body && body.version < change.version) this.bodies.delete(change._id);
    }
  }

  /** Forgets a post's body: its counts have changed elsewhere. */
  forget(postId: string): void {
    this.bodies.delete(postId);
  }

  /** The bodies of `ids` in their order, undefined for deleted posts; a promise only when some must be read. */
  bodiesOf(
    ids: readonly string[],
  ): readonly (PostBody | undefined)[] | Promise<readonly (PostBody | undefined)[]> {
    // The oldest make room, not the least recently used: keeping count of uses would cost more than the look.
    const found = ids.map((id) => this.bodies.peek(id));
    return found.includes(undefined) ? this.load(ids, found) : found;
  }

  /** The ranking's clock for a first page, ms. */
  now(): number {
    const now = this.clock.now();
    return this.newest > now && this.newest <= now + CLOCK_SKEW_MS ? this.newest : now;
  }

  private async load(
    ids: readonly string[],
    found: (PostBody | undefined)[],
  ): Promise<readonly (PostBody | undefined)[]> {
    const missing = ids.filter((_, position) => found[position] === undefined);
    const read = new Map<string, PostBody>();
    for (const post of await this.posts.findAll(missing)) {
      const body = PostBody.of(post);
      read.set(post._id, body);
      // A body that a change has overtaken while it was read must not stay.
      if ((this.versionOf(post._id) ?? 0) <= post.version) this.bodies.set(post._id, body);
    }
    return ids.map((id, position) => found[position] ?? read.get(id));
  }

  /** Whether the change is news; if so the index and the versions have it now. */
  private advance(change: PostChange): boolean {
    if ((this.versionOf(change._id) ?? 0) >= change.version) return false;
    this.rotate();
    this.versions.set(change._id, change.version);
    this.place(change);
    return true;
  }

  private place({ _id, authorId, visibility, live }: PostChange): void {
    if (live) {
      this.index.upsert({ id: _id, authorId, visibility });
      this.newest = Math.max(this.newest, timeOfId(_id));
    } else {
      this.index.remove(_id);
      this.bodies.delete(_id);
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
