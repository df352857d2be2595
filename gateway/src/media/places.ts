/** How many of something run at once: of one who, and of all in this process. */
export interface PlaceLimits {
  own: number;
  all: number;
}

export type Release = () => void;

export class Places {
  private taken = 0;
  private readonly owners = new Map<string, number>();

  constructor(private readonly limits: PlaceLimits) {}

  /** Gives the place back when called; a string says which limit is reached. */
  take(who: string): Release | 'own' | 'all' {
    const own = this.owners.get(who) ?? 0;
    if (own >= this.limits.own) return 'own';
    if (this.taken >= this.limits.all) return 'all';
    this.taken += 1;
    this.owners.set(who, own + 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.taken -= 1;
      const left = this.owners.get(who)! - 1;
      if (left === 0) this.owners.delete(who);
      else this.owners.set(who, left);
    };
  }
}
