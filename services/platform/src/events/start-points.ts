export interface StartPoint {
  /** One for each partition; those that were added later have none. */
  offsets: readonly number[];
  /** Whether it was stored by this call: the group begins now. */
  isNew: boolean;
}

/**
 * Where the reactions of a service began to react, kept in the service's own store for ever. Brokers forget a group's
 * position when nobody has used it for some time; a group that is known here is not new and misses nothing.
 */
export abstract class StartPoints {
  /** Stores `offsets`, one for each partition of the topic, unless the group began there before. Resolves to the stored ones. */
  abstract keep(group: string, topic: string, offsets: readonly number[]): Promise<StartPoint>;
}
