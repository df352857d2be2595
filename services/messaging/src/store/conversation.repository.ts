import { Injectable } from '@nestjs/common';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { StoreClock } from '@pulso/platform/mongo/store-clock';
import type { Position, Slice } from '@pulso/platform/paging/list-page';
import { ConversationCollection, type ConversationDocument } from './conversation.schema.js';
import type { MessageDocument } from './message.schema.js';

@Injectable()
export class ConversationRepository {
  constructor(
    private readonly rows: ConversationCollection,
    private readonly storeClock: StoreClock,
  ) {}

  find(id: string): Promise<ConversationDocument | null> {
    return this.rows.findOne({ _id: id });
  }

  /** Latest activity first, then by id, greatest first. */
  async list(userId: string, { after, limit }: Slice): Promise<ConversationDocument[]> {
    const sort = { lastActivity: -1, _id: -1 } as const;
    if (!after) return this.rows.find({ seenBy: userId }, { sort, limit });
    const at = new Date(after.createdAt);
    const [same, earlier] = await Promise.all([
      this.rows.find({ seenBy: userId, lastActivity: at, _id: { $lt: after.id } }, { sort, limit }),
      this.rows.find({ seenBy: userId, lastActivity: { $lt: at } }, { sort, limit }),
    ]);
    return [...same, ...earlier].slice(0, limit);
  }

  /** Lets the user see the conversation, which is created if missing (MSG-2). `created`: they did not see it before. */
  async start(id: string, userId: string): Promise<{ conversation: ConversationDocument; created: boolean }> {
    const now = new Date(await this.storeClock.now());
    const started = await this.upsert(
      { _id: id, seenBy: { $ne: userId } },
      {
        $addToSet: { seenBy: userId },
        $set: { [`startedAt.${userId}`]: now },
        $setOnInsert: { lastSeq: 0, lastActivity: now },
      },
    );
    if (started) return { conversation: started, created: true };
    return { conversation: (await this.find(id))!, created: false };
  }

  /**
   * Makes the message the last one unless a newer one is, and the conversation, which is created if missing, visible to both
   * (MSG-3, MSG-5).
   */
  async fold({ conversationId, seq, senderId, receiverId, ...message }: MessageDocument): Promise<void> {
    const { content, type, createdAt } = message;
    const lastMessage = { senderId, receiverId, content, isSystem: type === 'system', createdAt };
    const seenBy = conversationId.split('_');
    const older = { _id: conversationId, lastSeq: { $lt: seq } };
    const change = { $set: { lastSeq: seq, lastMessage, lastActivity: createdAt, seenBy } };
    try {
      await this.rows.raw.updateOne(older, change, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // It shows a newer message, or was created meanwhile.
      await this.rows.raw.updateOne(older, change);
    }
  }

  /** The changed or created document; null if another one with this id exists, which the filter does not match. */
  private async upsert(
    filter: Parameters<ConversationCollection['raw']['findOneAndUpdate']>[0],
    change: object,
  ): Promise<ConversationDocument | null> {
    try {
      return await this.rows.raw.findOneAndUpdate(filter, change, { upsert: true, returnDocument: 'after' });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return null;
    }
  }
}

/** A conversation's position in the list. */
export function positionOf({ _id, lastActivity }: ConversationDocument): Position {
  return { createdAt: lastActivity.getTime(), id: _id };
}
