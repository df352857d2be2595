import { Injectable } from '@nestjs/common';
import type { UserRef } from '@pulso/contracts/common/v1/common';
import type { ConversationPage, ListConversationsRequest } from '@pulso/contracts/messaging/v1/messaging';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import { fillPage } from '@pulso/platform/paging/fill-page';
import { ListPage } from '@pulso/platform/paging/list-page';
import { KnownUsers } from '../projections/known-users.js';
import { VisiblePeople } from '../projections/visible-people.js';
import { otherUserOf } from '../store/conversation.js';
import { ConversationRepository, positionOf } from '../store/conversation.repository.js';
import type { ConversationDocument } from '../store/conversation.schema.js';
import { MessageRepository } from '../store/message.repository.js';
import { viewConversation } from './view-conversation.js';

interface ListedConversation {
  row: ConversationDocument;
  otherUser: UserRef;
}

/** `GET /api/conversations`, latest activity first, without those with users whom the caller does not see (MSG-7, MSG-9). */
@Injectable()
export class ListConversations {
  constructor(
    private readonly users: KnownUsers,
    private readonly people: VisiblePeople,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly sealer: CursorSealer,
  ) {}

  async execute(request: ListConversationsRequest): Promise<ConversationPage> {
    const { userId } = requireCaller();
    const page = new ListPage(this.sealer, 'conversations', userId, request);
    await this.users.requireCaller(userId);
    const { found, next } = await fillPage({
      ...{ after: page.after, size: page.size },
      read: (after, limit) => this.conversations.list(userId, { after, limit }),
      shown: (conversations) => this.shown(userId, conversations),
      placeOf: positionOf,
    });
    const unread = await this.messages.countUnreadFrom(
      userId,
      found.map(({ otherUser }) => otherUser.id),
    );
    const items = found.map(({ row, otherUser }) =>
      viewConversation(row, userId, otherUser, unread.get(otherUser.id) ?? 0),
    );
    return { items, nextCursor: page.cursorAfter(next) };
  }

  private async shown(
    userId: string,
    conversations: readonly ConversationDocument[],
  ): Promise<ListedConversation[]> {
    const others = conversations.map(({ _id }) => otherUserOf(_id, userId)!);
    const people = await this.people.among(userId, others);
    return conversations.flatMap((row, at) => {
      const otherUser = people.get(others[at]!);
      return otherUser ? [{ row, otherUser }] : [];
    });
  }
}
