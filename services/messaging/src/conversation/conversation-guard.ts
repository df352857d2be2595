import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { KnownUsers } from '../projections/known-users.js';
import { VisiblePeople } from '../projections/visible-people.js';
import { otherUserOf } from '../store/conversation.js';
import { ConversationRepository } from '../store/conversation.repository.js';
import type { ConversationDocument } from '../store/conversation.schema.js';
import { conversationNotFound } from './conversation-errors.js';

export interface VisibleConversation {
  conversation: ConversationDocument;
  callerId: string;
  otherId: string;
}

/** The access check of all use cases about one conversation. */
@Injectable()
export class ConversationGuard {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly users: KnownUsers,
    private readonly people: VisiblePeople,
  ) {}

  /**
   * Throws `not-found` unless the caller takes part, sees the conversation (MSG-3) and sees the other user (MSG-9,
   * ACCT-31).
   */
  async loadVisible(conversationId: string): Promise<VisibleConversation> {
    const { userId: callerId } = requireCaller();
    await this.users.requireCaller(callerId);
    const otherId = otherUserOf(conversationId, callerId);
    if (otherId === undefined) throw conversationNotFound();
    const [conversation, people] = await Promise.all([
      this.conversations.find(conversationId),
      this.people.among(callerId, [otherId]),
    ]);
    if (!conversation?.seenBy.includes(callerId) || !people.has(otherId)) throw conversationNotFound();
    return { conversation, callerId, otherId };
  }
}
