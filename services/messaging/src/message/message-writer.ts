import { Injectable } from '@nestjs/common';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { OpenPages } from '../projections/open-pages.js';
import { conversationIdOf } from '../store/conversation.js';
import { ConversationRepository } from '../store/conversation.repository.js';
import { MessageRepository } from '../store/message.repository.js';
import type { MessageDocument } from '../store/message.schema.js';

type MessageDraft = Pick<MessageDocument, 'senderId' | 'receiverId' | 'content'>;

/** A system message; `onceKey` names its cause. */
export type SystemMessageDraft = MessageDraft & Required<Pick<MessageDocument, 'event' | 'onceKey'>>;

/**
 * Writes messages, each in three steps: it gets its number in the conversation, is inserted, which commits it, and is
 * folded into the conversation, which shows it to both (MSG-5). A crash after the first step leaves a gap in the numbers,
 * a crash after the second one a message that `FoldMessages` folds.
 */
@Injectable()
export class MessageWriter {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly pages: OpenPages,
  ) {}

  /** A message from one user to another with its number, not stored yet. */
  async draft(draft: MessageDraft): Promise<MessageDocument> {
    return { ...(await this.numbered(draft)), type: 'user', unreadBy: draft.receiverId };
  }

  /** Rejects with a duplicate key error if its idempotency key is taken. */
  async commit(message: MessageDocument): Promise<void> {
    await this.messages.insert(message);
    await this.fold(message);
  }

  /** Writes a system message unless it is there already (MSG-10). Nobody has to read it. */
  async system({ event, onceKey, ...draft }: SystemMessageDraft): Promise<void> {
    if (await this.messages.hasOnceKey(onceKey)) return;
    try {
      await this.commit({ ...(await this.numbered(draft)), type: 'system', event, onceKey });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Shows a committed message in its conversation; may be repeated, in any order of messages. */
  async fold(message: MessageDocument): Promise<void> {
    await this.conversations.fold(message);
    await this.messages.folded(message);
    this.pages.signal([message.senderId, message.receiverId]);
  }

  private async numbered(draft: MessageDraft): Promise<Omit<MessageDocument, 'type'>> {
    const conversationId = conversationIdOf(draft.senderId, draft.receiverId);
    const { seq, createdAt } = await this.conversations.nextSequence(conversationId);
    return { ...draft, _id: newIdAt(createdAt.getTime()), conversationId, seq, createdAt, unfolded: true };
  }
}
