/** Random numbers in [0, 1), the same in every run with the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Seeded choices, so that a failed run can be repeated with its seed. */
export class Dice {
  /** From 0 (included) to 1 (excluded). */
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

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, place: this.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ value }) => value);
  }
}

/** A UUIDv7 of a millisecond, with a random part of `high` (30 bits) and `low` (32 bits), in that order. */
export function uuidV7(timeMs: number, high: number, low: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const middle = (high >>> 18).toString(16).padStart(3, '0');
  const variant = (0x8000 | ((high >>> 4) & 0x3fff)).toString(16);
  const node = (high & 0xf).toString(16).padStart(4, '0') + low.toString(16).padStart(8, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${middle}-${variant}-${node}`;
}
