/** What each key has of something, such as an address of bytes, and all keys together. Keys that have none take no memory. */
export class Tally {
  private readonly counts = new Map<string, number>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  /** @param amount negative to give back */
  add(key: string, amount: number): void {
    const count = this.of(key) + amount;
    this.sum += amount;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}
