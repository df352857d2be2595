import type { Plan, ScanRange } from './planner.js';
import type { Entry, Storage } from './storage.js';

/** Reads one range and remembers how far it got: what is left is the range between `lower` and `upper`. */
class RangeReader {
  private iterator: Iterator<Entry> | undefined;
  private head: Entry | undefined;
  private done = false;
  private lower: Uint8Array;
  private upper: Uint8Array;

  constructor(
    private readonly storage: Storage,
    range: ScanRange,
    private readonly reverse: boolean,
    readonly sortOffset: number,
  ) {
    this.lower = range.lower;
    this.upper = range.upper;
  }

  peek(): Entry | undefined {
    if (this.head ?? this.done) return this.head;
    this.iterator ??= this.storage.range(this.lower, this.upper, this.reverse)[Symbol.iterator]();
    const next = this.iterator.next();
    if (next.done) this.done = true;
    else this.head = next.value;
    return this.head;
  }

  take(): void {
    if (!this.head) return;
    // The least key after this one is the same with a zero byte behind it.
    if (this.reverse) this.upper = this.head.key;
    else this.lower = Buffer.concat([this.head.key, Buffer.of(0)]);
    this.head = undefined;
  }

  /** Lets go of lmdb's cursor; the next `peek` opens another where this one stood, on the newest data. */
  release(): void {
    this.iterator?.return?.();
    this.iterator = undefined;
    this.head = undefined;
  }
}

/** The entries of a plan: its points one by one, or its ranges, merged to one order when the plan promises one. Resumable between batches. */
export class IndexScan {
  private readonly readers: RangeReader[];
  private nextPoint = 0;

  constructor(
    private readonly storage: Storage,
    private readonly plan: Plan,
  ) {
    this.readers = plan.points
      ? []
      : plan.ranges.map((range) => new RangeReader(storage, range, plan.reverse, range.sortOffset));
  }

  next(): Entry | undefined {
    if (this.plan.points) return this.nextOfPoints(this.plan.points);
    const reader = this.plan.ordered ? this.firstInOrder() : this.firstLeft();
    const entry = reader?.peek();
    reader?.take();
    return entry;
  }

  release(): void {
    for (const reader of this.readers) reader.release();
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

  private firstLeft(): RangeReader | undefined {
    while (this.readers.length > 0) {
      const reader = this.readers[0]!;
      if (reader.peek()) return reader;
      reader.release();
      this.readers.shift();
    }
    return undefined;
  }

  private firstInOrder(): RangeReader | undefined {
    if (this.readers.length === 1) return this.firstLeft();
    let first: RangeReader | undefined;
    for (let at = this.readers.length - 1; at >= 0; at--) {
      const reader = this.readers[at]!;
      if (!reader.peek()) {
        reader.release();
        this.readers.splice(at, 1);
      } else if (!first || this.precedes(reader, first)) {
        first = reader;
      }
    }
    return first;
  }

  private precedes(a: RangeReader, b: RangeReader): boolean {
    const order = Buffer.compare(a.peek()!.key.subarray(a.sortOffset), b.peek()!.key.subarray(b.sortOffset));
    return this.plan.reverse ? order > 0 : order < 0;
  }
}
