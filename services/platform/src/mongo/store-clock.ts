/** What a server says of itself. */
export interface StoreTime {
  /** Its clock, in ms. */
  time: number;
  /** Another value after another server has become the primary. */
  primary: string;
}

/** How old a reading of the store's clock may be. */
const READ_EVERY_MS = 1_000;
/** The store's clock and this process's may differ by this much within one interval. */
const TOLERANCE_MS = 1_000;

/**
 * The clock of the store, which sets `changedAt`, as this process follows it. It may go back: after a correction, or when
 * a server that is behind becomes the primary.
 */
export class StoreClock {
  private readonly found: number[] = [];
  private last: (StoreTime & { at: number }) | undefined;
  private reading: Promise<void> | undefined;

  /** `elapsed` is a clock of this process that never goes back, in ms. */
  constructor(
    private readonly read: () => Promise<StoreTime>,
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  /**
   * For each time that the clock has gone back or the primary has changed, in the order of their discovery: changes made
   * since then have this store time or a later one, in ms.
   */
  get steps(): readonly number[] {
    return this.found;
  }

  /** The store's time in ms, from a reading of the last second. Rejects while the store does not answer. */
  async now(): Promise<number> {
    if (!this.last || this.elapsed() - this.last.at >= READ_EVERY_MS) {
      this.reading ??= this.readAgain().finally(() => (this.reading = undefined));
      await this.reading;
    }
    const { time, at } = this.last!;
    return time + this.elapsed() - at;
  }

  private async readAgain(): Promise<void> {
    const { last } = this;
    const now = await this.read();
    const at = this.elapsed();
    if (last) {
      const passed = at - last.at;
      const expected = last.time + passed;
      if (now.time < expected - TOLERANCE_MS || now.primary !== last.primary) {
        this.found.push(Math.min(now.time, expected) - passed);
      }
    }
    this.last = { ...now, at };
  }
}
