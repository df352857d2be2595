/** A user whom a store marks as erased. */
export interface MarkedUser {
  userId: string;
  /** By the store's clock. Never before the mark of a transaction that had ended a minute earlier. */
  markedAt: Date;
}

/** The users whom a service's store marks as erased, for ever (ACCT-34). */
export abstract class MarkedUsers {
  private readonly listeners: ((userId: string) => void)[] = [];

  /** All of them, in no particular order. */
  abstract every(): AsyncIterable<MarkedUser>;

  /** Those who were marked then or later. */
  abstract since(markedAt: Date): Promise<readonly MarkedUser[]>;

  /** `listener` gets each user whom this process marks, after the commit. */
  onMark(listener: (userId: string) => void): void {
    this.listeners.push(listener);
  }

  /** To be called by whoever has marked a user, after the commit. */
  noteMarked(userId: string): void {
    for (const listener of this.listeners) listener(userId);
  }
}

/** Of a service that holds nothing of users. */
export class NobodyMarked extends MarkedUsers {
  async *every(): AsyncIterable<MarkedUser> {}

  since(): Promise<readonly MarkedUser[]> {
    return Promise.resolve([]);
  }
}
