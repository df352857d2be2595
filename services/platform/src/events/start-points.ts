export interface StartPoint {
  /** One for each partition; those that were added later have none. */
  offsets: readonly number[];
  /** Whether the group begins now: this call has stored it, and under no name it was stored before. */
  isNew: boolean;
}

/**
 * Where the reactions of a service began to react, kept in the service's own store for ever. Brokers forget a group's
 * position when nobody has used it for some time; a group that is known here is not new and misses nothing.
 */
export abstract class StartPoints {
  /**
   * Stores `offsets`, one for each partition of the topic, unless the group began there before, also under one of its
   * former names, the latest first. Resolves to the stored ones.
   */
  abstract keep(
    group: string,
    topic: string,
    offsets: readonly number[],
    formerGroups?: readonly string[],
  ): Promise<StartPoint>;
}
