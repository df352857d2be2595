import { Injectable } from '@nestjs/common';
import type {
  StartConversationRequest,
  StartConversationResponse,
} from '@pulso/contracts/messaging/v1/messaging';
import { requireCaller } from '@pulso/platform/context/request-context';
import { blocked } from '@pulso/platform/errors/user-errors';
import { KnownBlocks } from '../projections/known-blocks.js';
import { KnownUsers, userRefOf } from '../projections/known-users.js';
import { conversationIdOf } from '../store/conversation.js';
import { ConversationRepository } from '../store/conversation.repository.js';
import { MessageRepository } from '../store/message.repository.js';
import { cannotMessageSelf } from './conversation-errors.js';
import { viewConversation } from './view-conversation.js';

/**
 * `POST /api/conversations`, idempotent (MSG-2, MSG-3). Throws `not-found`, then `blocked` when either has blocked the
 * other, then `cannot-message-self`.
 */
@Injectable()
export class StartConversation {
  constructor(
    private readonly users: KnownUsers,
    private readonly blocks: KnownBlocks,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
  ) {}

  async execute({ userId: otherId }: StartConversationRequest): Promise<StartConversationResponse> {
    const { userId } = requireCaller();
    const other = await this.users.requireCallerAnd(userId, otherId);
    if (otherId === userId) throw cannotMessageSelf();
    if (await this.blocks.between(userId, otherId)) throw blocked();

    const { conversation, created } = await this.conversations.start(
      conversationIdOf(userId, otherId),
      userId,
    );
    const unread = await this.messages.countUnreadFrom(userId, [otherId]);
    const count = unread.get(otherId) ?? 0;
    return { conversation: viewConversation(conversation, userId, userRefOf(other), count), created };
  }
}
