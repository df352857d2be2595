import { AuthorSet } from './author-set.js';
import type { AuthorTable } from './author-table.js';
import { authorBonus } from './feed-ranking.js';
import { FLAG_BITS, IN_NO_FEED, RELATED_ONLY, type Segment } from './segment.js';

/** The part of the social graph that ranks one viewer's feed; user ids as UUID text. */
export interface ViewerGraph {
  viewerId: string;
  following: Iterable<string>;
  /** Authors the viewer has access to by an active subscription. */
  subscribed: Iterable<string>;
  /** Blocked in either direction. */
  blocked: Iterable<string>;
}

/** Tiers by number. Zero is for authors without a relation to the viewer. */
export const Tier = { none: 0, own: 1, followed: 2, subscribed: 3, both: 4 } as const;
/** In addition to the tiers: a blocked author is in none of them. */
const BLOCKED_TIER = 5;

/** A tier's bonus in points by tier number. */
export const TIER_BONUS: readonly number[] = [
  authorBonus({ own: false, followed: false, subscribed: false }),
  authorBonus({ own: true, followed: false, subscribed: false }),
  authorBonus({ own: false, followed: true, subscribed: false }),
  authorBonus({ own: false, followed: false, subscribed: true }),
  authorBonus({ own: false, followed: true, subscribed: true }),
];

/** A binary search in a segment's postings costs about as much as scanning this many posts. */
const LOOKUP_COST = 16;

/**
 * A viewer's graph prepared for one index: sets of author numbers, 16 to 32 bytes per relation, independent of the
 * number of authors. Valid until the graph changes; posts may be added and removed meanwhile.
 */
export class ViewerView {
  /** By tier; for `Tier.none` the authors who are not in it: everyone related or blocked. */
  private readonly sets: readonly AuthorSet[];
  /** For sparse tiers, the blocks of a segment worth scanning; garbage-collected together with the segment. */
  private readonly lookedUp = new WeakMap<Segment, (Uint32Array | undefined)[]>();

  /** Use `FeedIndex.compileViewer`. */
  constructor(
    /** The author numbers this view was compiled with. */
    readonly authors: AuthorTable,
    graph: ViewerGraph,
  ) {
    const tierByAuthor = tiersOf(authors, graph);
    const members: number[][] = TIER_BONUS.map(() => []);
    for (const [author, tier] of tierByAuthor) members[tier]?.push(author);
    members[Tier.none] = [...tierByAuthor.keys()];
    this.sets = members.map((tierMembers) => new AuthorSet(tierMembers));
  }

  /** Whether the tier can contain posts at all. */
  hasTier(tier: number): boolean {
    return tier === Tier.none || this.sets[tier]!.authors.length > 0;
  }

  /**
   * The newest post of the tier from position `from` down to `to`, or -1. Of unrelated authors, posts for related
   * readers alone do not count (FEED-1); deleted posts and those of hidden authors never do (FEED-2).
   */
  scanBack(segment: Segment, tier: number, from: number, to: number): number {
    const { entries } = segment;
    const set = this.sets[tier]!;
    const wanted = tier !== Tier.none;
    const excluded = wanted ? IN_NO_FEED : IN_NO_FEED | RELATED_ONLY;
    for (let position = from; position >= to; position--) {
      const entry = entries[position]!;
      if ((entry & excluded) === 0 && set.has(entry >>> FLAG_BITS) === wanted) return position;
    }
    return -1;
  }

  /** Whether the post at `position` is in the viewer's feed, in whatever tier (FEED-1, FEED-2). */
  shows(segment: Segment, position: number): boolean {
    const entry = segment.entries[position]!;
    if ((entry & IN_NO_FEED) !== 0) return false;
    const author = entry >>> FLAG_BITS;
    if (!this.sets[Tier.none]!.has(author)) return (entry & RELATED_ONLY) === 0;
    return this.sets.some((set, tier) => tier !== Tier.none && set.has(author));
  }

  /**
   * How many posts to scan without a match before it pays to look up the tier's authors in the segment's postings: as
   * many as the look-up costs. So a wrong choice at most doubles the work.
   */
  scanBudget(segment: Segment, tier: number): number {
    if (tier === Tier.none || !segment.postings) return Infinity;
    return this.sets[tier]!.authors.length * (LOOKUP_COST + segment.postings.pairsPerAuthor);
  }

  /** The blocks worth scanning as far as is known: of all others' posts those that are in some feed. */
  candidates(segment: Segment, tier: number): Uint32Array | null {
    return tier === Tier.none ? segment.shownBlocks : (this.lookedUp.get(segment)?.[tier] ?? null);
  }

  /** A bitmap of the segment's blocks that hold posts of the tier's authors, merged from their postings. */
  lookUpCandidates(segment: Segment, tier: number): Uint32Array {
    const bitmap = new Uint32Array((segment.blockCount + 31) >>> 5);
    for (const author of this.sets[tier]!.authors) segment.postings?.markBlocks(author, bitmap);
    const known = this.lookedUp.get(segment) ?? [];
    known[tier] = bitmap;
    this.lookedUp.set(segment, known);
    return bitmap;
  }
}

/** A block overrides every other relation. Users cannot follow, subscribe to or block themselves. */
function tiersOf(authors: AuthorTable, graph: ViewerGraph): Map<number, number> {
  const tiers = new Map<number, number>();
  for (const id of graph.following) tiers.set(authors.intern(id), Tier.followed);
  for (const id of graph.subscribed) {
    const author = authors.intern(id);
    const followed = tiers.get(author) === Tier.followed || tiers.get(author) === Tier.both;
    tiers.set(author, followed ? Tier.both : Tier.subscribed);
  }
  for (const id of graph.blocked) tiers.set(authors.intern(id), BLOCKED_TIER);
  tiers.set(authors.intern(graph.viewerId), Tier.own);
  return tiers;
}
