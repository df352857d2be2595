import { formatUuid, parseUuid, type UuidWords } from './uuid-words.js';

const CHUNK_BITS = 12;
const CHUNK_AUTHORS = 1 << CHUNK_BITS;
const MAX_LOAD = 0.8;
const EMPTY_SLOT = 0;

function hashOf(id: UuidWords): number {
  return (
    Math.imul(id.w0 ^ Math.imul(id.w1, 0x85ebca6b) ^ Math.imul(id.w2, 0xc2b2ae35) ^ id.w3, 0x9e3779b1) >>> 0
  );
}

/**
 * Author ids ↔ dense numbers from 0. Open addressing over typed arrays: about 21 bytes per author. A Map of strings
 * would take about 100 and alone exceed the index's budget of 24 bytes per post.
 */
export class AuthorTable {
  private readonly chunks: Uint32Array[] = [];
  /** Author number + 1 by hash. */
  private slots = new Uint32Array(1024);
  private count = 0;

  /** How many authors have a number. */
  get size(): number {
    return this.count;
  }

  /** The author's number; a new author gets the next one. `authorId` is UUID text; throws RangeError otherwise. */
  intern(authorId: string): number {
    const id = parseUuid(authorId);
    const slot = this.slotOf(id);
    const known = this.slots[slot]!;
    if (known !== EMPTY_SLOT) return known - 1;
    const author = this.count++;
    if (author % CHUNK_AUTHORS === 0) this.chunks.push(new Uint32Array(4 * CHUNK_AUTHORS));
    const chunk = this.chunks[author >>> CHUNK_BITS]!;
    const at = 4 * (author % CHUNK_AUTHORS);
    chunk[at] = id.w0;
    chunk[at + 1] = id.w1;
    chunk[at + 2] = id.w2;
    chunk[at + 3] = id.w3;
    this.slots[slot] = author + 1;
    if (this.count > MAX_LOAD * this.slots.length) this.rehash();
    return author;
  }

  /** The author's number, or undefined when they have none. `authorId` is UUID text; throws RangeError otherwise. */
  find(authorId: string): number | undefined {
    const entry = this.slots[this.slotOf(parseUuid(authorId))]!;
    return entry === EMPTY_SLOT ? undefined : entry - 1;
  }

  /** The id of an author's number, as text. */
  idOf(author: number): string {
    return formatUuid(this.wordsOf(author));
  }

  /** Bytes of the typed arrays. */
  memoryBytes(): number {
    return this.slots.byteLength + this.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  private wordsOf(author: number): UuidWords {
    const chunk = this.chunks[author >>> CHUNK_BITS]!;
    const at = 4 * (author % CHUNK_AUTHORS);
    return { w0: chunk[at]!, w1: chunk[at + 1]!, w2: chunk[at + 2]!, w3: chunk[at + 3]! };
  }

  /** The slot that holds the id, or the empty slot where it belongs. */
  private slotOf(id: UuidWords): number {
    const mask = this.slots.length - 1;
    for (let slot = hashOf(id) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.slots[slot]!;
      if (entry === EMPTY_SLOT || this.holds(entry - 1, id)) return slot;
    }
  }

  private holds(author: number, id: UuidWords): boolean {
    const chunk = this.chunks[author >>> CHUNK_BITS]!;
    const at = 4 * (author % CHUNK_AUTHORS);
    return (
      chunk[at + 3] === id.w3 && chunk[at + 2] === id.w2 && chunk[at + 1] === id.w1 && chunk[at] === id.w0
    );
  }

  private rehash(): void {
    this.slots = new Uint32Array(2 * this.slots.length);
    for (let author = 0; author < this.count; author++) {
      this.slots[this.slotOf(this.wordsOf(author))] = author + 1;
    }
  }
}
