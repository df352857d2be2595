import { AuthorTable } from './author-table.js';
import { AuthorTotals, type Totals } from './author-totals.js';
import { feedScore, type RankedPost } from './feed-ranking.js';
import { CountWords, type PostCounts } from './post-counts.js';
import { MAX_POSTS } from './postings.js';
import { DELETED, HIDDEN, mergeSegments, RELATED_ONLY, Tail, type Segment } from './segment.js';
import { tierStart } from './tier-start.js';
import { TierStream } from './tier-stream.js';
import { formatUuid, leastIdAt, parseUuid, type UuidWords } from './uuid-words.js';
import { TIER_BONUS, ViewerView, type ViewerGraph } from './viewer-view.js';

/**
 * The fields of a post that ranking and its author's totals need. `createdAt` is the time in the id (UUIDv7); ids are canonical UUID text.
 */
export interface IndexedPost extends Partial<PostCounts> {
  id: string;
  authorId: string;
  /** Whether it is in the feeds of those alone who are related to its author (FEED-1). */
  relatedOnly: boolean;
  deleted?: boolean;
}

/** The position after an item of a feed whose clock is frozen at `asOf` (ms); the content of a cursor. */
export interface FeedPosition extends RankedPost {
  asOf: number;
}

export interface FeedRequest {
  /** The ranking's clock in ms: further pages use that of the first. Newer posts are left out. */
  asOf: number;
  /** The last item of the previous page; undefined for the first page. */
  after?: RankedPost;
  /** Number of items, at least 1. */
  limit: number;
}

export interface FeedPage {
  items: RankedPost[];
  /** The position of the next page; null when there are no more posts. */
  next: FeedPosition | null;
}

export interface FeedIndexOptions {
  /** Posts collected in the tail before they become a segment. */
  tailCapacity?: number;
  /** The maximum size of a merged segment, which bounds the pause of a merge. At most 2^19. */
  maxSegmentPosts?: number;
}

/** Small enough that each tier may scan all of it without a match on every page. */
const TAIL_CAPACITY = 1024;
/** A segment is rewritten when more than this fraction of it is deleted. */
const MAX_DELETED_PART = 0.25;

/** Where a post is. */
interface Place {
  segment: Segment;
  position: number;
}

const NONE: PostCounts = { likes: 0, comments: 0 };

/**
 * The exact ranked feed (FEED-3, FEED-10) over all posts, in memory: a merge of time-ordered tiers over a
 * log-structured list of segments; and each author's totals, which are always the sums over their posts here.
 * Synchronous; the caller applies changes in any order, each post's latest state last.
 */
export class FeedIndex {
  private readonly authors = new AuthorTable();
  private readonly totals = new AuthorTotals();
  private readonly countWords = new CountWords();
  /** The numbers of the authors whose posts are in nobody's feed. */
  private readonly hiddenAuthors = new Set<number>();
  private readonly tail: Tail;
  private readonly maxSegmentPosts: number;
  /**
   * Ordered by write time, oldest first. Each is at most half as long as the one before, except segments of maximum
   * size.
   */
  private segments: Segment[] = [];
  private live = 0;

  constructor({ tailCapacity = TAIL_CAPACITY, maxSegmentPosts = MAX_POSTS }: FeedIndexOptions = {}) {
    if (!(tailCapacity >= 1 && tailCapacity <= maxSegmentPosts && maxSegmentPosts <= MAX_POSTS)) {
      throw new RangeError(`needs 1 ≤ tailCapacity ≤ maxSegmentPosts ≤ ${MAX_POSTS}`);
    }
    this.tail = new Tail(tailCapacity);
    this.maxSegmentPosts = maxSegmentPosts;
  }

  /** Posts that are not deleted. */
  get size(): number {
    return this.live;
  }

  /** Bytes of all typed arrays: the whole index except some small objects per segment. */
  memoryBytes(): number {
    const segments = this.segments.reduce((sum, segment) => sum + segment.memoryBytes(), 0);
    return this.authors.memoryBytes() + this.totals.memoryBytes() + this.tail.memoryBytes() + segments;
  }

  /**
   * Adds a post, or sets the flags and counts of a known one; idempotent. Throws RangeError for an id that
   * is not a UUID, Error when the post is known with another author.
   */
  upsert(post: IndexedPost): void {
    const id = parseUuid(post.id);
    const flags = (post.relatedOnly ? RELATED_ONLY : 0) | (post.deleted ? DELETED : 0);
    const counts = { likes: post.likes ?? 0, comments: post.comments ?? 0 };
    const known = this.locate(id);
    if (known) {
      const author = known.segment.authorAt(known.position);
      const authorId = this.authors.idOf(author);
      if (authorId !== post.authorId) throw new Error(`post ${post.id} changed its author from ${authorId}`);
      this.change(post.id, known, flags, counts);
      return;
    }
    if (post.deleted) return;
    const author = this.authors.intern(post.authorId);
    const hidden = this.hiddenAuthors.has(author) ? HIDDEN : 0;
    this.tail.insert(id, author, flags | hidden, this.countWords.pack(post.id, counts));
    this.totals.add(author, 1, counts.likes, counts.comments);
    this.live++;
    if (this.tail.isFull) this.seal();
  }

  /** Removes a post. Returns false when it was not in the index. */
  remove(postId: string): boolean {
    const known = this.locate(parseUuid(postId));
    if (!known) return false;
    const flags = known.segment.flagsAt(known.position);
    if ((flags & DELETED) !== 0) return false;
    this.change(postId, known, flags | DELETED, NONE);
    return true;
  }

  /** Takes an author's posts, present and coming ones, out of all feeds or lets them in again (FEED-2); idempotent. */
  setAuthorHidden(authorId: string, hidden: boolean): void {
    const author = this.authors.intern(authorId);
    if (this.hiddenAuthors.has(author) === hidden) return;
    if (hidden) this.hiddenAuthors.add(author);
    else this.hiddenAuthors.delete(author);
    for (const segment of [...this.segments, this.tail]) segment.setHidden(author, hidden);
  }

  /** The totals of an author's posts that are not deleted, whoever may see them (PEOPLE-2). */
  totalsOf(authorId: string): Totals {
    const author = this.authors.find(authorId);
    return author === undefined ? { posts: 0, ...NONE } : this.totals.of(author);
  }

  /** The counts of a post; undefined when it is unknown or deleted. */
  countsOf(postId: string): PostCounts | undefined {
    const known = this.locate(parseUuid(postId));
    if (!known || (known.segment.flagsAt(known.position) & DELETED) !== 0) return undefined;
    return this.countWords.unpack(postId, known.segment.counts[known.position]!);
  }

  /** Prepares a viewer's graph for `page`. The caller keeps the view until the graph changes. */
  compileViewer(graph: ViewerGraph): ViewerView {
    return new ViewerView(this.authors, graph);
  }

  /**
   * The next `limit` posts of the viewer's feed in ranked order. With one view, one `asOf` and `after` = the last
   * item, paging neither skips nor repeats a post, whatever is added or removed in between (FEED-6).
   */
  page(view: ViewerView, { asOf, after, limit }: FeedRequest): FeedPage {
    if (view.authors !== this.authors) throw new Error('the view was compiled for another index');
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`not a page size: ${limit}`);
    const streams: TierStream[] = [];
    const items: RankedPost[] = [];
    let tier = TIER_BONUS.length - 1;
    for (;;) {
      let best = bestOf(streams);
      // A tier joins the merge when its best post could be first: for most pages that is one or two tiers.
      while (tier >= 0 && (best < 0 || streams[best]!.score <= ceiling(tier))) {
        this.addStreams(streams, view, tier--, asOf, after);
        best = bestOf(streams);
      }
      if (best < 0) return { items, next: null };
      const stream = streams[best]!;
      let more: boolean;
      if (!stream.isOpen) {
        more = stream.open();
      } else if (items.length === limit) {
        return { items, next: { asOf, ...items[limit - 1]! } };
      } else {
        items.push(stream.head());
        more = stream.advance();
      }
      if (!more) streams.splice(best, 1);
    }
  }

  /** At most `limit` ids of posts in the viewer's feed that were published after `since` (ms), in no order (FEED-9). */
  newerIds(view: ViewerView, since: number, limit: number): string[] {
    const least = leastIdAt(since + 1);
    const ids: string[] = [];
    for (const segment of [this.tail, ...this.segments.toReversed()]) {
      const oldest = segment.lowerBound(least);
      for (let position = segment.length - 1; position >= oldest; position--) {
        if (ids.length === limit) return ids;
        if (view.shows(segment, position)) ids.push(formatUuid(segment.idAt(position)));
      }
    }
    return ids;
  }

  private addStreams(
    streams: TierStream[],
    view: ViewerView,
    tier: number,
    asOf: number,
    after: RankedPost | undefined,
  ): void {
    const start = view.hasTier(tier) ? tierStart(TIER_BONUS[tier]!, asOf, after) : null;
    if (!start) return;
    for (const segment of this.segments) {
      if (segment.compareAt(0, start) < 0) streams.push(new TierStream(segment, view, tier, asOf, start));
    }
    if (this.tail.length > 0) streams.push(new TierStream(this.tail, view, tier, asOf, start));
  }

  private locate(id: UuidWords): Place | null {
    const inTail = this.tail.find(id);
    if (inTail >= 0) return { segment: this.tail, position: inTail };
    for (const segment of this.segments) {
      const position = segment.find(id);
      if (position >= 0) return { segment, position };
    }
    return null;
  }

  private change(postId: string, { segment, position }: Place, flags: number, wanted: PostCounts): void {
    const counts = (flags & DELETED) === 0 ? wanted : NONE;
    const { likes, comments } = this.countWords.unpack(postId, segment.counts[position]!);
    segment.counts[position] = this.countWords.pack(postId, counts);
    const before = segment.deleted;
    segment.setFlags(position, flags);
    const posts = before - segment.deleted;
    const author = segment.authorAt(position);
    this.totals.add(author, posts, counts.likes - likes, counts.comments - comments);
    this.live -= segment.deleted - before;
    if (segment !== this.tail && segment.deleted > MAX_DELETED_PART * segment.length) {
      const compact = mergeSegments(segment, null, this.authors.size);
      this.segments = this.segments.flatMap((each) => (each === segment ? (compact ?? []) : each));
    }
  }

  /**
   * Turns the tail into a segment and merges while the one before is less than twice as long, like a binary counter.
   */
  private seal(): void {
    let youngest = mergeSegments(this.tail, null, this.authors.size);
    this.tail.clear();
    for (let before = this.segments.at(-1); youngest && before; before = this.segments.at(-1)) {
      const together = before.length + youngest.length;
      if (before.length >= 2 * youngest.length || together > this.maxSegmentPosts) break;
      youngest = mergeSegments(before, youngest, this.authors.size);
      this.segments.pop();
    }
    if (youngest) this.segments.push(youngest);
  }
}

/** The score of a post of the tier published at this moment, the maximum of the tier. Tiers are ordered by it. */
function ceiling(tier: number): number {
  const now = 0;
  return feedScore(TIER_BONUS[tier]!, now, now);
}

/** The stream whose head, or bound, ranks first; -1 when there is none. */
function bestOf(streams: TierStream[]): number {
  let best = streams.length - 1;
  for (let i = best - 1; i >= 0; i--) {
    if (streams[i]!.beats(streams[best]!)) best = i;
  }
  return best;
}
