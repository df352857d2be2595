import { Injectable } from '@nestjs/common';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { StoreClock } from '@pulso/platform/mongo/store-clock';
import type { Position, Slice } from '@pulso/platform/paging/list-page';
import { ConversationCollection, type ConversationDocument } from './conversation.schema.js';
import type { MessageDocument } from './message.schema.js';

/**
 * A message's time is later than the store's by no more than this: after a clock that was ahead has been set back, messages soon
 * have the right time again.
 */
const MAX_AHEAD_MS = 10_000;

/** A message's number and time in its conversation. */
export interface Sequence {
  /** 1, 2, … in the order of the conversation. */
  seq: number;
  /** Ascends with `seq`, unless the store's clock has gone back by seconds: pages that know no numbers order by it. */
  createdAt: Date;
}

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
        $setOnInsert: { seq: 0, lastSeq: 0, lastActivity: now },
      },
    );
    if (started) return { conversation: started, created: true };
    return { conversation: (await this.find(id))!, created: false };
  }

  /**
   * Gives the next message of the conversation, which is created if missing, a greater number and a later time than all
   * messages before it, whatever the replicas' clocks say (MSG-7). One write gives both, so their orders are the same.
   */
  async nextSequence(id: string): Promise<Sequence> {
    const now = Math.floor(await this.storeClock.now());
    for (;;) {
      const next = (await this.sequenceAt(id, new Date(now))) ?? (await this.sequenceAfterLatest(id, now));
      if (next) return next;
    }
  }

  /** Undefined if a message has this time already, or a later one. */
  private async sequenceAt(id: string, createdAt: Date): Promise<Sequence | undefined> {
    const created = { seenBy: [], lastSeq: 0, lastActivity: createdAt };
    const taken = await this.upsert(
      { _id: id, latestPlace: { $lt: createdAt } },
      { $inc: { seq: 1 }, $set: { latestPlace: createdAt }, $setOnInsert: created },
    );
    return taken ? { seq: taken.seq, createdAt } : undefined;
  }

  /** At least a millisecond after the latest message, unless that is too far ahead. Undefined if another message has come meanwhile. */
  private async sequenceAfterLatest(id: string, now: number): Promise<Sequence | undefined> {
    const seen = await this.find(id);
    if (!seen) return undefined;
    const next = Math.min(latestOf(seen) + 1, now + MAX_AHEAD_MS);
    const createdAt = new Date(Math.max(now, next));
    const { matchedCount } = await this.rows.raw.updateOne(
      { _id: id, seq: seen.seq },
      { $inc: { seq: 1 }, $set: { latestPlace: createdAt } },
    );
    return matchedCount > 0 ? { seq: seen.seq + 1, createdAt } : undefined;
  }

  /** Makes the message the last one unless a newer one is, and the conversation visible to both (MSG-3, MSG-5). */
  async fold({ conversationId, seq, senderId, receiverId, ...message }: MessageDocument): Promise<void> {
    const { content, type, createdAt } = message;
    const lastMessage = { senderId, receiverId, content, isSystem: type === 'system', createdAt };
    const seenBy = conversationId.split('_');
    await this.rows.raw.updateOne(
      { _id: conversationId, lastSeq: { $lt: seq } },
      { $set: { lastSeq: seq, lastMessage, lastActivity: createdAt, seenBy } },
    );
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

/** Rows of earlier versions have no `latestPlace`. */
const latestOf = ({ latestPlace, lastSeq, lastActivity }: ConversationDocument): number =>
  Math.max(latestPlace?.getTime() ?? 0, lastSeq > 0 ? lastActivity.getTime() : 0);

/** A conversation's position in the list. */
export function positionOf({ _id, lastActivity }: ConversationDocument): Position {
  return { createdAt: lastActivity.getTime(), id: _id };
}
