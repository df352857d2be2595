/** Hears signals. A listener never throws; what it starts handles its own errors. */
export interface SignalListener {
  /** Something about the channel has changed. */
  heard(channel: string): void;
  /** From now on signals are lost. */
  lost?(): void;
  /** Signals come, for the first time or again: some may have been lost before. */
  resumed?(): void;
}

/**
 * Tells all processes that something has changed, without its content: who hears a signal reads the owner's data. A signal
 * may be lost, so nothing depends on it but how soon a change is seen.
 */
export abstract class Signals {
  /**
   * Call it after the effect is committed. It returns at once and never throws: a signal that cannot be sent makes no
   * call fail. The channel names whom it is for, such as `user:<id>`, and may say whom it is about.
   */
  abstract send(channel: string): void;

  /** Hears the signals of all channels. Returns the function that ends it. */
  abstract listen(listener: SignalListener): () => void;
}

/** The channel of what a user's open pages show. */
export const userChannel = (userId: string) => `user:${userId}`;

/** The channel of what user `userId` is to `viewerId`: follows and blocks between them. */
export const graphChannel = (viewerId: string, userId: string) => `graph:${viewerId}:${userId}`;

/** The channel of a user's subscription to a coach. */
export const subscriptionChannel = (userId: string, coachId: string) => `subscription:${userId}:${coachId}`;

/** The channel of who subscribes to a coach: of that coach. */
export const subscribersChannel = (coachId: string) => `subscribers:${coachId}`;

/** The channel of a media asset of its owner: of what becomes of an uploaded video. */
export const mediaChannel = (ownerId: string, assetId: string) => `media:${ownerId}:${assetId}`;
