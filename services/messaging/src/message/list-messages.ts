import { Injectable } from '@nestjs/common';
import type { ListMessagesRequest, MessagePage } from '@pulso/contracts/messaging/v1/messaging';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { pageSize } from '@pulso/platform/paging/page-size';
import { ConversationGuard } from '../conversation/conversation-guard.js';
import { MessageRepository } from '../store/message.repository.js';
import { viewMessage } from './message.js';

/** `GET /api/conversations/{id}/messages`: the newest page first, each page in ascending order (MSG-7). */
@Injectable()
export class ListMessages {
  constructor(
    private readonly guard: ConversationGuard,
    private readonly messages: MessageRepository,
    private readonly sealer: CursorSealer,
  ) {}

  async execute({ conversationId, limit, cursor }: ListMessagesRequest): Promise<MessagePage> {
    const size = pageSize(limit);
    const { callerId } = await this.guard.loadVisible(conversationId);
    const list = `messages:${conversationId}`;
    const before = cursor === '' ? undefined : (this.sealer.open(list, callerId, cursor) as number);

    const found = await this.messages.listBefore(conversationId, before, size + 1);
    const items = found.slice(0, size).reverse();
    const oldest = found.length > size ? items[0] : undefined;
    const nextCursor = oldest ? this.sealer.seal(list, callerId, oldest.seq) : '';
    return { items: items.map(viewMessage), nextCursor };
  }
}
