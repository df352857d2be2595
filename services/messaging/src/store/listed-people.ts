/** Whom the lists of a user show. It is told by projections, which stand above the store. */
export abstract class ListedPeople {
  /** Those of `others` whom the user's lists show, by their ids. */
  abstract among(userId: string, others: Iterable<string>): Promise<ReadonlyMap<string, unknown>>;
}
