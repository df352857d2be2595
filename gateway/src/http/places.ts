import { Tally } from './tally.js';

/** How many of something run at once: of each of its owners, such as an account and its address, and of all in this process. */
export interface PlaceLimits {
  /** In the order in which `take` is told the owners. */
  own: readonly number[];
  /** The same while more than half of all places are taken, so that few owners cannot take the rest. */
  crowded?: readonly number[];
  all: number;
}

export type Release = () => void;

export class Places {
  private taken = 0;
  private readonly owners = new Tally();

  constructor(private readonly limits: PlaceLimits) {}

  /** Gives the place back when called; a string says which limit is reached. */
  take(...owners: string[]): Release | 'own' | 'all' {
    const keys = owners.map((owner, index) => `${index} ${owner}`);
    const { own, crowded = own, all } = this.limits;
    const most = this.taken > all / 2 ? crowded : own;
    if (keys.some((key, index) => this.owners.of(key) >= most[index]!)) return 'own';
    if (this.taken >= all) return 'all';
    this.taken += 1;
    for (const key of keys) this.owners.add(key, 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.taken -= 1;
      for (const key of keys) this.owners.add(key, -1);
    };
  }
}
