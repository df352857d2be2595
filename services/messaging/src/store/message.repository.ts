import { Injectable } from '@nestjs/common';
import type { ReadOptions } from '@pulso/platform/mongo/collection';
import { isDuplicateKey, READ_BUDGET_MS } from '@pulso/platform/mongo/queries';
import { turns } from '@pulso/platform/paging/turns';
import type { mongo } from 'mongoose';
import { MessageCollection, type MessageDocument } from './message.schema.js';
import { tally } from './tally.js';

/** How many unread messages one read counts: many more than a badge shows (MSG-17). */
export const MAX_COUNTED = 1_000;
/** How many of each conversation of a page are counted at least. */
export const MIN_COUNTED = 100;

const BY_SENDER = { senderId: 1, seq: 1 } as const;
/** How many messages of those that are read up to a bound come at once. */
const READ_AT_ONCE = 10;
/** How many marks one write clears. */
const CLEARED_AT_ONCE = 500;

/** Messages from the newest on. */
export interface NewestMessages {
  found: MessageDocument[];
  /** There are older ones, which the bound has left out. */
  cut: boolean;
}

@Injectable()
export class MessageRepository {
  private readonly toClear: string[] = [];

  constructor(readonly rows: MessageCollection) {}

  find(id: string): Promise<MessageDocument | null> {
    return this.rows.findOne({ _id: id });
  }

  /** Returns false if its place in the conversation is taken; rejects with a duplicate key error if another unique key is. */
  async insertAtPlace(message: MessageDocument): Promise<boolean> {
    try {
      await this.rows.raw.insertOne({ ...message });
      return true;
    } catch (error) {
      if (isDuplicateKey(error) && 'seq' in ((error as mongo.MongoServerError)['keyPattern'] as object))
        return false;
      throw error;
    }
  }

  /** The place of the conversation's last message, which need not be folded yet. */
  async lastPlace(conversationId: string): Promise<Pick<MessageDocument, 'seq' | 'createdAt'> | undefined> {
    const options = { projection: { seq: 1, createdAt: 1 }, sort: { seq: -1 }, limit: 1 } as const;
    const [last] = await this.rows.find({ conversationId }, options);
    return last;
  }

  /** Newest first, older than the one with the number `before` when given. */
  listBefore(conversationId: string, before: number | undefined, limit: number): Promise<MessageDocument[]> {
    const older = before === undefined ? {} : { seq: { $lt: before } };
    return this.rows.find({ conversationId, ...older }, { sort: { seq: -1 }, limit });
  }

  /** Newer than the one with the number `after`, in the order of the conversation. */
  listAfter(conversationId: string, after: number, limit: number): Promise<MessageDocument[]> {
    return this.rows.find({ conversationId, seq: { $gt: after } }, { sort: { seq: 1 }, limit });
  }

  /**
   * What the user has sent, or received, since a time: newest first, as long as `fits` says so of each. No more than
   * READ_AT_ONCE are read in vain.
   */
  async newest(
    person: { senderId: string } | { receiverId: string },
    since: Date,
    fits: (message: MessageDocument) => boolean,
  ): Promise<NewestMessages> {
    const found: MessageDocument[] = [];
    const read = { sort: { createdAt: -1 }, batchSize: READ_AT_ONCE, maxTimeMS: READ_BUDGET_MS } as const;
    for await (const message of this.rows.raw.find({ ...person, createdAt: { $gte: since } }, read)) {
      if (!fits(message)) return { found, cut: true };
      found.push(message);
    }
    return { found, cut: false };
  }

  /**
   * How many unread messages the user has from each sender, in reads of MAX_COUNTED: of a sender with more, this many are
   * counted, so that one whom the user does not see hides no other.
   */
  async countUnread(userId: string): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    let further: mongo.Filter<MessageDocument> = {};
    for (const _ of turns()) {
      const senders = await this.unreadSenders({ unreadBy: userId, ...further }, { sort: BY_SENDER });
      for (const [senderId, count] of tally(senders)) counts.set(senderId, count);
      if (senders.length < MAX_COUNTED) break;
      const last = senders.at(-1)!;
      // The next read counts a sender whom this one has only begun with.
      further = { senderId: senders[0] === last ? { $gt: last } : { $gte: last } };
    }
    return counts;
  }

  /** The same of some senders; where they have sent very many, MIN_COUNTED of each are counted. */
  async countUnreadFrom(userId: string, senders: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (senders.length === 0) return new Map();
    // One range of the index: most users have few unread messages, whoever has sent them.
    const all = await this.unreadSenders({ unreadBy: userId });
    if (all.length < MAX_COUNTED) return tally(all);
    const found = await this.unreadSenders({ unreadBy: userId, senderId: { $in: [...senders] } });
    if (found.length < MAX_COUNTED) return tally(found);
    const limit = MIN_COUNTED;
    const each = senders.map((senderId) => this.unreadSenders({ unreadBy: userId, senderId }, { limit }));
    return tally((await Promise.all(each)).flat());
  }

  private async unreadSenders(
    filter: mongo.Filter<MessageDocument>,
    options: Pick<ReadOptions, 'limit' | 'sort'> = {},
  ): Promise<string[]> {
    // Without the id, the index alone answers: no message is read, however long it is.
    const read = { projection: { senderId: 1, _id: 0 }, limit: MAX_COUNTED, ...options } as const;
    return (await this.rows.find(filter, read)).map(({ senderId }) => senderId);
  }

  /** Marks what the user has received from the sender as read, up to the one with this number. Returns how many messages changed. */
  async markRead(userId: string, senderId: string, lastSeq: number): Promise<number> {
    const { modifiedCount } = await this.rows.raw.updateMany(
      { unreadBy: userId, senderId, seq: { $lte: lastSeq } },
      { $unset: { unreadBy: '' } },
    );
    return modifiedCount;
  }

  /** All of them unless `createdBefore` is given. */
  listUnfolded(limit: number, createdBefore?: Date): Promise<MessageDocument[]> {
    const created = createdBefore && { createdAt: { $lt: createdBefore } };
    return this.rows.find({ unfolded: true, ...created }, { limit });
  }

  /** The conversation shows the message: `clearFolded` will clear its mark. */
  folded({ _id }: Pick<MessageDocument, '_id'>): void {
    this.toClear.push(_id);
  }

  /**
   * Clears the marks of what this process has folded, many at once: each write of its own would cost as much as the message's.
   * Messages whose marks a crash, or a failure here, leaves behind are folded again, which changes nothing.
   */
  async clearFolded(): Promise<void> {
    while (this.toClear.length > 0) {
      const some = this.toClear.splice(0, CLEARED_AT_ONCE);
      await this.rows.raw.updateMany({ _id: { $in: some } }, { $unset: { unfolded: '' } });
    }
  }
}
