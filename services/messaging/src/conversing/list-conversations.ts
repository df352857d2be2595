import { Injectable } from '@nestjs/common';
import type { ConversationPage, ListConversationsRequest } from '@pulso/contracts/messaging/v1/messaging';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ListPage, type Position } from '@pulso/platform/paging/list-page';
import { turns } from '@pulso/platform/paging/turns';
import type { UserRef } from '@pulso/contracts/messaging/v1/messaging';
import { MessageRepository } from '../message/message.repository.js';
import { KnownUsers } from '../people/known-users.js';
import { VisiblePeople } from '../people/visible-people.js';
import { otherUserOf, viewConversation } from '../conversation/conversation.js';
import { ConversationRepository, positionOf } from '../conversation/conversation.repository.js';
import type { ConversationDocument } from '../conversation/conversation.schema.js';

/** How many conversations a turn reads at least, to replace those that the caller may not see. */
const REFILL = 100;

interface SeenConversation {
  conversation: ConversationDocument;
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
    const { found, next } = await this.visible(userId, page.slice.after, page.size);
    const unread = await this.messages.countUnreadFrom(
      userId,
      found.map(({ otherUser }) => otherUser.id),
    );
    const items = found.map(({ conversation, otherUser }) =>
      viewConversation(conversation, userId, otherUser, unread.get(otherUser.id) ?? 0),
    );
    return { items, nextCursor: page.cursorAfter(next) };
  }

  /**
   * The next conversations that the caller may see, at most `size`, and the position after which the next page begins;
   * undefined when there is none.
   */
  private async visible(
    userId: string,
    after: Position | undefined,
    size: number,
  ): Promise<{ found: SeenConversation[]; next: Position | undefined }> {
    const found: SeenConversation[] = [];
    let from = after;
    for (const turn of turns()) {
      const limit = Math.max(size + 1, turn === 0 ? 0 : REFILL);
      const read = await this.conversations.list(userId, { after: from, limit });
      const others = read.map(({ _id }) => otherUserOf(_id, userId)!);
      const people = await this.people.among(userId, others);
      for (const [at, conversation] of read.entries()) {
        const otherUser = people.get(others[at]!);
        if (!otherUser) continue;
        if (found.length === size) return { found, next: positionOf(found.at(-1)!.conversation) };
        found.push({ conversation, otherUser });
      }
      if (read.length < limit) return { found, next: undefined };
      from = positionOf(read.at(-1)!);
    }
    return { found, next: from };
  }
}
