import { BLOCK_BITS, Postings, previousBlock } from './postings.js';
import type { UuidWords } from './uuid-words.js';

/** Flags in the low bits of an entry; the author's number is above them. */
export const DELETED = 1;
/** In the feeds of those alone who are related to its author (FEED-1). */
export const RELATED_ONLY = 2;
/** The author is hidden from everyone: suspended or deleted (FEED-2). */
export const HIDDEN = 4;
export const FLAG_BITS = 3;
/** An entry with one of these is in nobody's feed. */
export const IN_NO_FEED = DELETED | HIDDEN;

/**
 * Posts ordered by id, and so by time: 16 bytes of id and 4 of author and flags each. Immutable except for the flags.
 * Segments may overlap in time: a post that arrives late is in a newer segment.
 */
export class Segment {
  /** The number of entries flagged DELETED. */
  deleted = 0;
  /**
   * The blocks with a post that is in some feed, so that a scan passes over any number of hidden and deleted posts at once.
   * Null where a scan is always cheap: in the tail.
   */
  readonly shownBlocks: Uint32Array | null;

  constructor(
    /** Four words per id, most significant first. */
    readonly ids: Uint32Array,
    /** Author number << FLAG_BITS | flags. */
    readonly entries: Uint32Array,
    /** Likes and comments of each post, see `packCounts`. */
    readonly counts: Uint32Array,
    public length: number,
    /** Null in the tail. */
    readonly postings: Postings | null,
  ) {
    this.shownBlocks = postings && new Uint32Array((this.blockCount + 31) >>> 5);
    for (let block = 0; this.shownBlocks && block < this.blockCount; block++) this.noteShown(block);
  }

  get blockCount(): number {
    return ((this.length - 1) >>> BLOCK_BITS) + 1;
  }

  /** How many ids are less than `id`: its position when present, else where it belongs. */
  lowerBound(id: UuidWords): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compareAt(middle, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The position of `id`, or -1. */
  find(id: UuidWords): number {
    if (this.length === 0 || this.compareAt(0, id) > 0 || this.compareAt(this.length - 1, id) < 0) return -1;
    const position = this.lowerBound(id);
    return this.compareAt(position, id) === 0 ? position : -1;
  }

  /** Compares the id at a position with `id`. */
  compareAt(position: number, id: UuidWords): number {
    const { ids } = this;
    const at = 4 * position;
    return ids[at]! - id.w0 || ids[at + 1]! - id.w1 || ids[at + 2]! - id.w2 || ids[at + 3]! - id.w3;
  }

  idAt(position: number): UuidWords {
    const { ids } = this;
    const at = 4 * position;
    return { w0: ids[at]!, w1: ids[at + 1]!, w2: ids[at + 2]!, w3: ids[at + 3]! };
  }

  authorAt(position: number): number {
    return this.entries[position]! >>> FLAG_BITS;
  }

  flagsAt(position: number): number {
    return this.entries[position]! & (DELETED | RELATED_ONLY);
  }

  /** Replaces the flags of the post at a position and updates `deleted`. */
  setFlags(position: number, flags: number): void {
    const before = this.entries[position]!;
    this.deleted += (flags & DELETED) - (before & DELETED);
    this.replaceFlags(position, (before & HIDDEN) | flags);
  }

  /** Hides all posts of an author, or shows them again. */
  setHidden(author: number, hidden: boolean): void {
    if (this.length === 0) return;
    const { postings } = this;
    const blocks = new Uint32Array((this.blockCount + 31) >>> 5);
    if (postings) postings.markBlocks(author, blocks);
    else blocks.fill(~0);
    let block = previousBlock(blocks, this.blockCount - 1);
    while (block >= 0) {
      const start = block << BLOCK_BITS;
      const end = Math.min(start + (1 << BLOCK_BITS), this.length);
      for (let position = start; position < end; position++) {
        const entry = this.entries[position]!;
        if (entry >>> FLAG_BITS === author)
          this.entries[position] = hidden ? entry | HIDDEN : entry & ~HIDDEN;
      }
      this.noteShown(block);
      block = block === 0 ? -1 : previousBlock(blocks, block - 1);
    }
  }

  private replaceFlags(position: number, flags: number): void {
    this.entries[position] = ((this.entries[position]! >>> FLAG_BITS) << FLAG_BITS) | flags;
    this.noteShown(position >>> BLOCK_BITS);
  }

  /** Looks through a block for a post that is in some feed. */
  private noteShown(block: number): void {
    const { entries, shownBlocks } = this;
    if (!shownBlocks) return;
    const end = Math.min((block + 1) << BLOCK_BITS, this.length);
    let position = block << BLOCK_BITS;
    while (position < end && (entries[position]! & IN_NO_FEED) !== 0) position++;
    const bit = 1 << (block & 31);
    if (position < end) shownBlocks[block >>> 5]! |= bit;
    else shownBlocks[block >>> 5]! &= ~bit;
  }

  memoryBytes(): number {
    const { ids, entries, counts, postings, shownBlocks } = this;
    const lists = ids.byteLength + entries.byteLength + counts.byteLength;
    return lists + (shownBlocks?.byteLength ?? 0) + (postings?.memoryBytes() ?? 0);
  }
}

/** The mutable end of the index: new posts are appended, late ones are inserted in order. */
export class Tail extends Segment {
  constructor(readonly capacity: number) {
    super(new Uint32Array(4 * capacity), new Uint32Array(capacity), new Uint32Array(capacity), 0, null);
  }

  get isFull(): boolean {
    return this.length === this.capacity;
  }

  /** Inserts a post that is not in the tail yet; the tail must not be full. */
  insert(id: UuidWords, author: number, flags: number, counts: number): void {
    const position =
      this.length === 0 || this.compareAt(this.length - 1, id) < 0 ? this.length : this.lowerBound(id);
    this.ids.copyWithin(4 * position + 4, 4 * position, 4 * this.length);
    this.entries.copyWithin(position + 1, position, this.length);
    this.counts.copyWithin(position + 1, position, this.length);
    this.ids[4 * position] = id.w0;
    this.ids[4 * position + 1] = id.w1;
    this.ids[4 * position + 2] = id.w2;
    this.ids[4 * position + 3] = id.w3;
    this.entries[position] = (author << FLAG_BITS) | flags;
    this.counts[position] = counts;
    this.length++;
  }

  clear(): void {
    this.length = 0;
    this.deleted = 0;
  }
}

/** A new segment with the posts of both except deleted ones, or null when none is left. */
export function mergeSegments(older: Segment, younger: Segment | null, authorCount: number): Segment | null {
  const length = older.length - older.deleted + (younger ? younger.length - younger.deleted : 0);
  if (length === 0) return null;
  const ids = new Uint32Array(4 * length);
  const entries = new Uint32Array(length);
  const counts = new Uint32Array(length);
  let filled = 0;
  const take = (source: Segment, position: number): void => {
    const entry = source.entries[position]!;
    if ((entry & DELETED) !== 0) return;
    const from = 4 * position;
    const to = 4 * filled;
    ids[to] = source.ids[from]!;
    ids[to + 1] = source.ids[from + 1]!;
    ids[to + 2] = source.ids[from + 2]!;
    ids[to + 3] = source.ids[from + 3]!;
    counts[filled] = source.counts[position]!;
    entries[filled++] = entry;
  };
  let a = 0;
  let b = 0;
  if (younger) {
    while (a < older.length && b < younger.length) {
      if (older.compareAt(a, younger.idAt(b)) < 0) take(older, a++);
      else take(younger, b++);
    }
    for (; b < younger.length; b++) take(younger, b);
  }
  for (; a < older.length; a++) take(older, a);
  const postings = Postings.of(length, (position) => entries[position]! >>> FLAG_BITS, authorCount);
  return new Segment(ids, entries, counts, length, postings);
}
