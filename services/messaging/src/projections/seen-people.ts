import type { UserRef } from '@pulso/contracts/common/v1/common';

/** The people in one answer whom its viewer sees. Each is read once, however many parts of the answer name them. */
export class SeenPeople {
  /** By id, everybody who was read; undefined if the viewer does not see them. */
  private readonly known = new Map<string, UserRef | undefined>();

  /** `read` returns those of the users whom the viewer sees. */
  constructor(private readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, UserRef>>) {}

  /** Those of `others` whom the viewer sees. */
  async among(others: Iterable<string>): Promise<ReadonlyMap<string, UserRef>> {
    const ids = [...new Set(others)];
    const unknown = ids.filter((id) => !this.known.has(id));
    if (unknown.length > 0) {
      const found = await this.read(unknown);
      for (const id of unknown) this.known.set(id, found.get(id));
    }
    const seen = new Map<string, UserRef>();
    for (const id of ids) {
      const user = this.known.get(id);
      if (user) seen.set(id, user);
    }
    return seen;
  }
}

/** A part of an answer from which the people whom the viewer does not see have not been removed yet. */
export interface Unfiltered<T> {
  /** Everybody whom the part names. */
  readonly people: Iterable<string>;
  /** The part as the viewer sees it. */
  filteredBy(people: SeenPeople): Promise<T>;
}
