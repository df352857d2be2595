/** How many of something run at once: of each of its owners, such as an account and its address, and of all in this process. */
export interface PlaceLimits {
  /** In the order in which `take` is told the owners. */
  own: readonly number[];
  all: number;
}

export type Release = () => void;

export class Places {
  private taken = 0;
  private readonly owners = new Map<string, number>();

  constructor(private readonly limits: PlaceLimits) {}

  /** Gives the place back when called; a string says which limit is reached. */
  take(...owners: string[]): Release | 'own' | 'all' {
    const keys = owners.map((owner, index) => `${index} ${owner}`);
    if (keys.some((key, index) => this.of(key) >= this.limits.own[index]!)) return 'own';
    if (this.taken >= this.limits.all) return 'all';
    this.taken += 1;
    for (const key of keys) this.owners.set(key, this.of(key) + 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.taken -= 1;
      for (const key of keys) {
        const left = this.of(key) - 1;
        if (left === 0) this.owners.delete(key);
        else this.owners.set(key, left);
      }
    };
  }

  private of(key: string): number {
    return this.owners.get(key) ?? 0;
  }
}
