import type { PostCounts } from './post-counts.js';

/** How many posts an author has, and the likes and comments on them. */
export interface Totals extends PostCounts {
  posts: number;
}

const SUMS_PER_AUTHOR = 3;
const FIRST_AUTHORS = 1024;

/** Totals by author number: 24 bytes an author. */
export class AuthorTotals {
  private sums = new Float64Array(SUMS_PER_AUTHOR * FIRST_AUTHORS);

  /** Adds to an author's totals; negative numbers take away. */
  add(author: number, posts: number, likes: number, comments: number): void {
    const at = SUMS_PER_AUTHOR * author;
    if (at >= this.sums.length) this.grow(at);
    this.sums[at]! += posts;
    this.sums[at + 1]! += likes;
    this.sums[at + 2]! += comments;
  }

  of(author: number): Totals {
    const at = SUMS_PER_AUTHOR * author;
    const { sums } = this;
    return { posts: sums[at] ?? 0, likes: sums[at + 1] ?? 0, comments: sums[at + 2] ?? 0 };
  }

  memoryBytes(): number {
    return this.sums.byteLength;
  }

  private grow(at: number): void {
    const larger = new Float64Array(Math.max(2 * this.sums.length, at + SUMS_PER_AUTHOR));
    larger.set(this.sums);
    this.sums = larger;
  }
}
