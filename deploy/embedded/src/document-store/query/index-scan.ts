import type { Entry, Storage } from '../store/storage.js';
import type { KeyInterval } from './field-bounds.js';
import type { Plan } from './planner.js';

/** Reads one range and keeps its position: the unread part is the range between `lower` and `upper`. */
class RangeReader {
  private iterator: Iterator<Entry> | undefined;
  private lower: Uint8Array;
  private upper: Uint8Array;
  /** The key of the entry that was read last since the iterator was made. */
  private last: Uint8Array | undefined;

  constructor(
    private readonly storage: Storage,
    range: KeyInterval,
    private readonly reverse: boolean,
  ) {
    this.lower = range.lower;
    this.upper = range.upper;
  }

  next(): Entry | undefined {
    this.iterator ??= this.storage.range(this.lower, this.upper, this.reverse)[Symbol.iterator]();
    const next = this.iterator.next();
    if (next.done) return undefined;
    this.last = next.value.key;
    return next.value;
  }

  /** Closes lmdb's cursor; the next read opens another one at the same position, on the newest data. */
  release(): void {
    this.iterator?.return?.();
    this.iterator = undefined;
    if (!this.last) return;
    // The smallest key after this one is the same key followed by a zero byte.
    if (this.reverse) this.upper = this.last;
    else this.lower = Buffer.concat([this.last, Buffer.of(0)]);
    this.last = undefined;
  }
}

/** The entries of a plan: its points or its ranges in sequence. It continues between batches. */
export class IndexScan {
  private readonly readers: RangeReader[];
  private nextPoint = 0;

  constructor(
    private readonly storage: Storage,
    private readonly plan: Plan,
  ) {
    const ranges = plan.points ? [] : plan.ranges;
    this.readers = ranges.map((range) => new RangeReader(storage, range, plan.reverse));
  }

  next(): Entry | undefined {
    if (this.plan.points) return this.nextOfPoints(this.plan.points);
    for (let reader = this.readers[0]; reader; reader = this.readers[0]) {
      const entry = reader.next();
      if (entry) return entry;
      reader.release();
      this.readers.shift();
    }
    return undefined;
  }

  release(): void {
    this.readers[0]?.release();
  }

  private nextOfPoints(points: Buffer[]): Entry | undefined {
    while (this.nextPoint < points.length) {
      const at = this.nextPoint++;
      const key = points[this.plan.reverse ? points.length - 1 - at : at]!;
      const value = this.storage.get(key);
      if (value) return { key, value };
    }
    return undefined;
  }
}
