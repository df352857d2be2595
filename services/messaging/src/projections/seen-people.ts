import type { UserRef } from '@pulso/contracts/common/v1/common';

/** Whom a viewer sees, for one answer: everyone is read once, however many parts of the answer name them. */
export class SeenPeople {
  /** Those who have been read; undefined: the viewer does not see them. */
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

/** A part of an answer whose rows have been read, but not yet whom of their people the viewer sees. */
export interface Unseen<T> {
  readonly people: Iterable<string>;
  /** The part as the viewer sees it. */
  seenWith(people: SeenPeople): Promise<T>;
}
