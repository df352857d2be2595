import { unavailable } from '@pulso/platform/errors/domain-error';
import { tooManyRequests } from '../errors/too-many-requests.js';

const MIB = 1024 * 1024;

/** Bytes of bodies that have not arrived whole (LIMIT-8). */
export const BODY_MEMORY = { address: 8 * MIB, all: 128 * MIB } as const;

/**
 * The memory that bodies on their way may take, per address and in all: a client may send a byte of each of many bodies
 * every few seconds, and what it has sent must be kept until the rest comes.
 */
export class BodyMemory {
  private readonly addresses = new Map<string, number>();
  private total = 0;

  constructor(private readonly most: Readonly<{ address: number; all: number }> = BODY_MEMORY) {}

  get bytes(): number {
    return this.total;
  }

  /** What one body of this address takes. */
  open(address: string): BodyShare {
    return new BodyShare((bytes) => this.add(address, bytes));
  }

  /** Throws too-many-requests or unavailable, and adds nothing, where there is no room. */
  private add(address: string, bytes: number): void {
    const taken = (this.addresses.get(address) ?? 0) + bytes;
    if (bytes > 0 && taken > this.most.address) throw tooManyRequests(1);
    if (bytes > 0 && this.total + bytes > this.most.all) throw unavailable();
    this.total += bytes;
    if (taken === 0) this.addresses.delete(address);
    else this.addresses.set(address, taken);
  }
}

export class BodyShare {
  private taken = 0;

  constructor(private readonly add: (bytes: number) => void) {}

  /** Throws too-many-requests or unavailable. */
  take(bytes: number): void {
    this.add(bytes);
    this.taken += bytes;
  }

  giveBack(): void {
    this.add(-this.taken);
    this.taken = 0;
  }
}
