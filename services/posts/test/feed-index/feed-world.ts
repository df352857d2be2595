import { Dice, uuidV7 } from '@pulso/platform/testing/seeded';
import type { OracleGraph } from './feed-oracle.js';
import { RECENCY_SPAN_MS } from '../../src/feed-index/feed-ranking.js';
import type { FeedIndexOptions, IndexedPost } from '../../src/feed-index/feed-index.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 20);

/**
 * A small random world of edge cases: few distinct times, times exactly at tier boundaries, posts on both sides of
 * 1000 hours and of `asOf`, prolific and silent authors, several segments.
 */
export class FeedWorld {
  readonly dice: Dice;
  readonly asOf: number;
  readonly authors: readonly string[];
  readonly posts = new Map<string, IndexedPost>();
  readonly options: FeedIndexOptions;
  private readonly spanMs: number;
  private readonly grainMs: number;
  private readonly skew: number;
  private readonly relatedPart: number;

  constructor(seed: number) {
    const dice = new Dice(seed);
    this.dice = dice;
    this.asOf = NOW + dice.below(HOUR_MS);
    this.spanMs = dice.pick([3, 10 * HOUR_MS, 900 * HOUR_MS, RECENCY_SPAN_MS + HOUR_MS, 3 * RECENCY_SPAN_MS]);
    this.grainMs = dice.pick([1, 1, HOUR_MS, 100 * HOUR_MS, 500 * HOUR_MS]);
    this.skew = dice.pick([1, 1, 3]);
    this.relatedPart = dice.pick([0, 0.2, 0.7]);
    this.authors = Array.from({ length: 1 + dice.below(dice.pick([3, 12, 40])) }, (_, i) =>
      uuidV7(NOW - 4 * RECENCY_SPAN_MS + i, dice.below(2 ** 30), dice.below(2 ** 32)),
    );
    const tailCapacity = dice.pick([1, 3, 16, 64]);
    this.options = { tailCapacity, maxSegmentPosts: dice.pick([tailCapacity, 50 + tailCapacity, 1 << 19]) };
  }

  /** A new post at a random time, so it usually arrives out of order. */
  newPost(): IndexedPost {
    const { dice } = this;
    const authorId = this.authors[Math.floor(this.authors.length * dice.next() ** this.skew)]!;
    const randomBits = dice.pick([2, 2 ** 30]);
    const id = uuidV7(this.time(), dice.below(randomBits), dice.below(randomBits));
    return this.posts.get(id) ?? { id, authorId, relatedOnly: this.relatedOnly() };
  }

  /** A random user's relations; blocked users may be followed, too. */
  graph(): OracleGraph {
    const { dice } = this;
    const viewerId = dice.pick(this.authors);
    const others = this.authors.filter((author) => author !== viewerId);
    const some = (part: number): Set<string> => new Set(others.filter(() => dice.chance(part)));
    return {
      viewerId,
      following: some(dice.pick([0, 0.1, 0.4, 1])),
      subscribed: some(dice.pick([0, 0.1, 0.3])),
      blocked: some(dice.pick([0, 0, 0.2])),
    };
  }

  relatedOnly(): boolean {
    return this.dice.chance(this.relatedPart);
  }

  /** A time near the ranking's clock, near 1000 hours before it, or anywhere in the world's time span. */
  private time(): number {
    const { dice } = this;
    if (dice.chance(0.05)) return this.asOf + dice.below(3) - 1;
    if (dice.chance(0.05)) return this.asOf - RECENCY_SPAN_MS + dice.below(3) - 1;
    const age = dice.below(this.spanMs);
    return this.asOf - Math.floor(age / this.grainMs) * this.grainMs;
  }
}
