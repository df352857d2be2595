import type { Address } from '../../rate-limit/address-key.js';
import { Tally } from './tally.js';

/** How many run at once: for each owner, such as an account and its address, and in this process. */
export interface PlaceLimits {
  /** In the order of the owners that `take` gets; a larger network has a multiple of that (LIMIT-14). */
  own: readonly number[];
  /** The same while more than half of all places are taken, so that few owners cannot take the rest. */
  crowded?: readonly number[];
  all: number;
}

export type Release = () => void;

export class Places {
  private readonly taken = new Tally();

  constructor(private readonly limits: PlaceLimits) {}

  /** Whether more than half of all places are taken. */
  get isCrowded(): boolean {
    return this.taken.total > this.limits.all / 2;
  }

  /** Gives the place back when called; a string says which limit is reached. An owner is an account, or an address. */
  take(...owners: readonly (string | Address)[]): Release | 'own' | 'all' {
    const { own, crowded = own, all } = this.limits;
    const most = this.isCrowded ? crowded : own;
    const named = owners.map(keysOf);
    if (named.some((owner, index) => !this.taken.hasRoom(owner, 1, most[index]!))) return 'own';
    if (this.taken.total >= all) return 'all';
    const keys = named.flat();
    this.taken.add(keys, 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.taken.add(keys, -1);
    };
  }
}

/** Owners of different kinds are counted apart. */
function keysOf(owner: string | Address, index: number): Address {
  const keys = typeof owner === 'string' ? [{ key: owner, times: 1 }] : owner;
  return keys.map(({ key, times }) => ({ key: `${index} ${key}`, times }));
}
