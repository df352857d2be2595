/**
 * Posts per block. Postings name blocks instead of posts, so that 2 bytes suffice for a segment of half a million
 * posts.
 */
export const BLOCK_BITS = 6;
/** A pair is 16 bits: the author's place in its group of eight, then the block. */
const BLOCK_NUMBER_BITS = 13;
const GROUP_BITS = 3;
const GROUP_MASK = (1 << GROUP_BITS) - 1;
const BLOCK_MASK = (1 << BLOCK_NUMBER_BITS) - 1;

/** The longest segment whose blocks a pair can name: 2^19 posts. */
export const MAX_POSTS = 1 << (BLOCK_BITS + BLOCK_NUMBER_BITS);

/**
 * Which blocks of a segment hold posts of an author: distinct (author, block) pairs ordered by author, with one
 * start per group of eight authors. At most 2 bytes a post, and half a byte for every author known.
 */
export class Postings {
  private constructor(
    private readonly starts: Uint32Array,
    private readonly pairs: Uint16Array,
  ) {}

  /** Builds the postings of a segment from its posts' author numbers, oldest post first. */
  static of(length: number, authorAt: (position: number) => number, authorCount: number): Postings {
    const next = new Uint32Array(authorCount + 1);
    const lastBlock = new Int32Array(authorCount).fill(-1);
    for (let position = 0; position < length; position++) {
      const author = authorAt(position);
      const block = position >>> BLOCK_BITS;
      if (lastBlock[author] === block) continue;
      lastBlock[author] = block;
      next[author + 1]!++;
    }
    for (let author = 0; author < authorCount; author++) next[author + 1]! += next[author]!;
    const pairs = new Uint16Array(next[authorCount]!);
    const starts = new Uint32Array((authorCount >>> GROUP_BITS) + 2).fill(pairs.length);
    for (let author = 0; author < authorCount; author += 1 << GROUP_BITS) {
      starts[author >>> GROUP_BITS] = next[author]!;
    }
    lastBlock.fill(-1);
    for (let position = 0; position < length; position++) {
      const author = authorAt(position);
      const block = position >>> BLOCK_BITS;
      if (lastBlock[author] === block) continue;
      lastBlock[author] = block;
      pairs[next[author]!++] = ((author & GROUP_MASK) << BLOCK_NUMBER_BITS) | block;
    }
    return new Postings(starts, pairs);
  }

  /** The average number of pairs per author. */
  get pairsPerAuthor(): number {
    return this.pairs.length / ((this.starts.length - 1) << GROUP_BITS);
  }

  /** Sets the bits of the blocks that hold posts of the author. Authors newer than the segment have none. */
  markBlocks(author: number, bitmap: Uint32Array): void {
    const group = author >>> GROUP_BITS;
    if (group + 1 >= this.starts.length) return;
    const place = author & GROUP_MASK;
    const end = this.starts[group + 1]!;
    for (let i = this.firstPair(group, place); i < end; i++) {
      const pair = this.pairs[i]!;
      if (pair >>> BLOCK_NUMBER_BITS !== place) return;
      const block = pair & BLOCK_MASK;
      bitmap[block >>> 5]! |= 1 << (block & 31);
    }
  }

  memoryBytes(): number {
    return this.starts.byteLength + this.pairs.byteLength;
  }

  private firstPair(group: number, place: number): number {
    const least = place << BLOCK_NUMBER_BITS;
    let low = this.starts[group]!;
    let high = this.starts[group + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.pairs[middle]! < least) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The greatest block at or below `block` that is set in the bitmap, and in `also` where given, or -1. */
export function previousBlock(bitmap: Uint32Array, block: number, also = bitmap): number {
  let word = block >>> 5;
  let bits = bitmap[word]! & also[word]! & ((2 << (block & 31)) - 1);
  while (bits === 0) {
    if (--word < 0) return -1;
    bits = bitmap[word]! & also[word]!;
  }
  return (word << 5) + 31 - Math.clz32(bits);
}
