const MIN_SLOTS = 64;

/**
 * A fixed set of author numbers with open addressing, at most half full: 8 to 16 bytes per author. It is queried for
 * every scanned post, so small sets are kept sparse enough that the first probe nearly always decides.
 */
export class AuthorSet {
  /** Author number + 1; zero is empty. */
  private readonly slots: Uint32Array;
  /** The right shift of a hash that leaves as many upper bits as the slots need. */
  private readonly shift: number;

  constructor(readonly authors: readonly number[]) {
    const slotBits = Math.ceil(Math.log2(Math.max(MIN_SLOTS, 2 * authors.length)));
    this.slots = new Uint32Array(1 << slotBits);
    this.shift = 32 - slotBits;
    for (const author of authors) this.slots[this.slotOf(author)] = author + 1;
  }

  has(author: number): boolean {
    return this.slots[this.slotOf(author)] !== 0;
  }

  /** The slot that holds the author, or the empty slot where it belongs. */
  private slotOf(author: number): number {
    const { slots } = this;
    const key = author + 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.shift;
    while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) & (slots.length - 1);
    return slot;
  }
}
