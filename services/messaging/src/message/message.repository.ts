import { Injectable } from '@nestjs/common';
import { READ_BUDGET_MS } from '@pulso/platform/mongo/queries';
import { MessageCollection, type MessageDocument } from './message.schema.js';

@Injectable()
export class MessageRepository {
  constructor(readonly rows: MessageCollection) {}

  find(id: string): Promise<MessageDocument | null> {
    return this.rows.findOne({ _id: id });
  }

  /** Rejects with a duplicate key error if a unique key is taken. */
  async insert(message: MessageDocument): Promise<void> {
    await this.rows.raw.insertOne({ ...message });
  }

  async isTold(onceKey: string): Promise<boolean> {
    return (await this.rows.findOne({ onceKey }, { projection: { _id: 1 } })) !== null;
  }

  /** Newest first, older than the place `before` when given. */
  listBefore(conversationId: string, before: number | undefined, limit: number): Promise<MessageDocument[]> {
    const older = before === undefined ? {} : { seq: { $lt: before } };
    return this.rows.find({ conversationId, ...older }, { sort: { seq: -1 }, limit });
  }

  /** Newer than the place `after`, in the order of the conversation. */
  listAfter(conversationId: string, after: number, limit: number): Promise<MessageDocument[]> {
    return this.rows.find({ conversationId, seq: { $gt: after } }, { sort: { seq: 1 }, limit });
  }

  /** Those after a place and since a time, in the order of the conversation. */
  async listSince(conversationId: string, afterSeq: number, since: Date): Promise<MessageDocument[]> {
    const found = await this.rows.find({ conversationId, seq: { $gt: afterSeq } }, { sort: { seq: 1 } });
    return found.filter(({ createdAt }) => createdAt >= since);
  }

  /** How many unread messages the user has from each sender, or from each of `senders`. */
  async countUnread(userId: string, senders?: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (senders?.length === 0) return new Map();
    const from = senders ? { senderId: { $in: [...senders] } } : {};
    const counts = this.rows.raw.aggregate<{ _id: string; unread: number }>(
      [{ $match: { unreadBy: userId, ...from } }, { $group: { _id: '$senderId', unread: { $sum: 1 } } }],
      { maxTimeMS: READ_BUDGET_MS },
    );
    return new Map((await counts.toArray()).map(({ _id, unread }) => [_id, unread]));
  }

  /** Marks what the user has received from the sender as read, up to a place. Returns how many messages changed. */
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

  async folded({ _id }: Pick<MessageDocument, '_id'>): Promise<void> {
    await this.rows.raw.updateOne({ _id }, { $unset: { unfolded: '' } });
  }
}
