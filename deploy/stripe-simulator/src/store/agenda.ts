export interface Due {
  /** In seconds since the epoch. */
  at: number;
  kind: string;
  id: string;
}

/** What will be due, the earliest first. An entry may be out of date: whoever takes it looks at the object. */
export class Agenda {
  readonly #entries: Due[] = [];

  add(due: Due): void {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#entries[middle]!.at <= due.at) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, due);
  }

  /** Takes the earliest entry that is due at `at` or before. */
  take(at: number): Due | undefined {
    const [first] = this.#entries;
    return first && first.at <= at ? this.#entries.shift() : undefined;
  }
}
