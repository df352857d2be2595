import type { Address } from '../../rate-limit/address-key.js';

/**
 * What each key has of something, such as an address of bytes, and all owners together. An owner has several keys where it is
 * an IPv6 address (LIMIT-14). Keys that have none take no memory.
 */
export class Tally {
  private readonly counts = new Map<string, number>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  /** Whether each key of an owner would be within its share: `most`, or as many times that as the key says. */
  hasRoom(owner: Address, amount: number, most: number): boolean {
    return owner.every(({ key, times }) => this.of(key) + amount <= most * times);
  }

  /** @param amount negative to give back */
  add(owner: Address, amount: number): void {
    this.sum += amount;
    for (const { key } of owner) {
      const count = this.of(key) + amount;
      if (count === 0) this.counts.delete(key);
      else this.counts.set(key, count);
    }
  }

  private of(key: string): number {
    return this.counts.get(key) ?? 0;
  }
}
