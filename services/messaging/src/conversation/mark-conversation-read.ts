import { Injectable } from '@nestjs/common';
import type {
  MarkConversationReadRequest,
  MarkConversationReadResponse,
} from '@pulso/contracts/messaging/v1/messaging';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { OpenPages } from '../projections/open-pages.js';
import { MessageRepository } from '../store/message.repository.js';
import { messageNotFound } from './conversation-errors.js';
import { ConversationGuard } from './conversation-guard.js';

/**
 * `POST /api/conversations/{id}/read`: marks what the caller has received as read (MSG-6), all of it or up to a message of
 * this conversation. What arrives later stays unread. Throws `not-found` for a message that is not in the conversation.
 */
@Injectable()
export class MarkConversationRead {
  constructor(
    private readonly guard: ConversationGuard,
    private readonly messages: MessageRepository,
    private readonly pages: OpenPages,
  ) {}

  async execute({
    conversationId,
    upTo,
  }: MarkConversationReadRequest): Promise<MarkConversationReadResponse> {
    const { conversation, callerId, otherId } = await this.guard.loadVisible(conversationId);
    const lastSeq = upTo === undefined ? conversation.lastSeq : await this.seqOf(upTo, conversationId);
    const marked = await this.messages.markRead(callerId, otherId, lastSeq);
    if (marked > 0) this.pages.signal([callerId]);
    return {};
  }

  private async seqOf(messageId: string, conversationId: string): Promise<number> {
    const message = isId(messageId) ? await this.messages.find(messageId) : null;
    if (message?.conversationId !== conversationId) throw messageNotFound();
    return message.seq;
  }
}
