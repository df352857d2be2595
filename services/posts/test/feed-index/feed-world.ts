import { seeded } from '@pulso/platform/testing/seeded';
import type { OracleGraph } from './feed-oracle.js';
import { RECENCY_SPAN_MS } from '../../src/feed-index/feed-ranking.js';
import type { FeedIndexOptions, IndexedPost } from '../../src/feed-index/feed-index.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 20);

/** Seeded chance, so that a failing world can be run again by its number. */
export class Dice {
  /** From 0 up to but without 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new RangeError('nothing to pick from');
    return value;
  }
}

/** A UUIDv7 of a millisecond, its random part made of `high` (30 bits) and `low` (32 bits), in that order. */
export function uuidV7(timeMs: number, high: number, low: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const middle = (high >>> 18).toString(16).padStart(3, '0');
  const variant = (0x8000 | ((high >>> 4) & 0x3fff)).toString(16);
  const node = (high & 0xf).toString(16).padStart(4, '0') + low.toString(16).padStart(8, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${middle}-${variant}-${node}`;
}

/**
 * A random small world made to hurt: few distinct times, times exactly where tiers touch, posts on both sides of 1000
 * hours and of `asOf`, prolific and silent authors, several segments.
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
  private readonly subscribersPart: number;

  constructor(seed: number) {
    const dice = new Dice(seed);
    this.dice = dice;
    this.asOf = NOW + dice.below(HOUR_MS);
    this.spanMs = dice.pick([3, 10 * HOUR_MS, 900 * HOUR_MS, RECENCY_SPAN_MS + HOUR_MS, 3 * RECENCY_SPAN_MS]);
    this.grainMs = dice.pick([1, 1, HOUR_MS, 100 * HOUR_MS, 500 * HOUR_MS]);
    this.skew = dice.pick([1, 1, 3]);
    this.subscribersPart = dice.pick([0, 0.2, 0.7]);
    this.authors = Array.from({ length: 1 + dice.below(dice.pick([3, 12, 40])) }, (_, i) =>
      uuidV7(NOW - 4 * RECENCY_SPAN_MS + i, dice.below(2 ** 30), dice.below(2 ** 32)),
    );
    const tailCapacity = dice.pick([1, 3, 16, 64]);
    this.options = { tailCapacity, maxSegmentPosts: dice.pick([tailCapacity, 50 + tailCapacity, 1 << 19]) };
  }

  /** A post never seen before; its time is anywhere, so it usually arrives out of order. */
  newPost(): IndexedPost {
    const { dice } = this;
    const authorId = this.authors[Math.floor(this.authors.length * dice.next() ** this.skew)]!;
    const randomBits = dice.pick([2, 2 ** 30]);
    const id = uuidV7(this.time(), dice.below(randomBits), dice.below(randomBits));
    return this.posts.get(id) ?? { id, authorId, visibility: this.visibility() };
  }

  /** A random user's relations; who is blocked may be followed too. */
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

  visibility(): IndexedPost['visibility'] {
    return this.dice.chance(this.subscribersPart) ? 'subscribers' : 'public';
  }

  /** Around the ranking's clock, around 1000 hours before it, or anywhere in the world's span. */
  private time(): number {
    const { dice } = this;
    if (dice.chance(0.05)) return this.asOf + dice.below(3) - 1;
    if (dice.chance(0.05)) return this.asOf - RECENCY_SPAN_MS + dice.below(3) - 1;
    const age = dice.below(this.spanMs);
    return this.asOf - Math.floor(age / this.grainMs) * this.grainMs;
  }
}
