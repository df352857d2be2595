import { feedScore } from './feed-ranking.js';
import { BLOCK_BITS, previousBlock } from './postings.js';
import type { Segment } from './segment.js';
import { compareUuids, formatUuid, timeOf, type UuidWords } from './uuid-words.js';
import { TIER_BONUS, type ViewerView } from './viewer-view.js';

/**
 * The posts of one tier in one segment, best first. Until opened it has only an upper bound for its best post, so the
 * merge reads a segment only when it could rank first.
 */
export class TierStream {
  /** The score of the head, or of the bound. */
  score: number;
  private opened = false;
  private position = -1;
  private candidates: Uint32Array | null = null;
  private budget = 0;
  private id: UuidWords;

  /** `start`: exclusive upper bound of the ids to return. `asOf` in ms. */
  constructor(
    private readonly segment: Segment,
    private readonly view: ViewerView,
    private readonly tier: number,
    private readonly asOf: number,
    private readonly start: UuidWords,
  ) {
    const greatest = segment.idAt(segment.length - 1);
    this.id = compareUuids(greatest, start) < 0 ? greatest : start;
    this.score = this.scoreOf(this.id);
  }

  /** Whether the head is a real post; otherwise it is a bound. */
  get isOpen(): boolean {
    return this.opened;
  }

  /** Whether this head ranks before the other's: by score, then by id, which begins with the time (FEED-5). */
  beats(other: TierStream): boolean {
    return this.score > other.score || (this.score === other.score && compareUuids(this.id, other.id) > 0);
  }

  /** Finds the first post. Returns false when there is none. */
  open(): boolean {
    this.opened = true;
    this.candidates = this.view.candidates(this.segment, this.tier);
    this.budget = this.candidates ? 0 : this.view.scanBudget(this.segment, this.tier);
    const end = this.id === this.start ? this.segment.lowerBound(this.start) : this.segment.length;
    return this.moveTo(this.seek(end - 1));
  }

  /** Moves to the next post. Returns false when there is none. */
  advance(): boolean {
    return this.moveTo(this.seek(this.position - 1));
  }

  head(): { id: string; score: number } {
    return { id: formatUuid(this.id), score: this.score };
  }

  private moveTo(position: number): boolean {
    if (position < 0) return false;
    this.position = position;
    this.id = this.segment.idAt(position);
    this.score = this.scoreOf(this.id);
    return true;
  }

  private scoreOf(id: UuidWords): number {
    return feedScore(TIER_BONUS[this.tier]!, timeOf(id), this.asOf);
  }

  /** The newest post of the tier at or before the position, or -1. */
  private seek(from: number): number {
    const { view, segment, tier } = this;
    if (from < 0) return -1;
    let next = from;
    if (!this.candidates) {
      const to = Math.max(0, from - Math.floor(this.budget) + 1);
      const found = view.scanBack(segment, tier, from, to);
      if (found >= 0 || to === 0) {
        this.budget -= from - found;
        return found;
      }
      next = to - 1;
      this.candidates = view.lookUpCandidates(segment, tier);
    }
    const shown = segment.shownBlocks ?? this.candidates;
    for (;;) {
      const block = previousBlock(this.candidates, next >>> BLOCK_BITS, shown);
      if (block < 0) return -1;
      const end = ((block + 1) << BLOCK_BITS) - 1;
      const found = view.scanBack(segment, tier, Math.min(next, end), block << BLOCK_BITS);
      if (found >= 0) return found;
      if (block === 0) return -1;
      next = (block << BLOCK_BITS) - 1;
    }
  }
}
