import { Injectable } from '@nestjs/common';
import type { UserStatusName } from '@pulso/contracts/user-status';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { messageNotFound } from '../conversation/conversation-errors.js';
import { KnownUsers } from '../projections/known-users.js';
import { MessageRepository } from '../store/message.repository.js';
import type { MessageDocument } from '../store/message.schema.js';

const NEIGHBOURS = 3;

/** A message as moderators see it. */
export interface ModeratedMessage {
  id: string;
  /** Usernames, or ids where the projection holds none. */
  sender: string;
  receiver: string;
  senderId: string;
  senderStatus: UserStatusName | 'unknown';
  type: 'user' | 'system';
  createdAt: string;
  content: string;
}

/** A message with its neighbours in the conversation, oldest first. */
export interface MessageInContext {
  message: ModeratedMessage;
  before: readonly ModeratedMessage[];
  after: readonly ModeratedMessage[];
}

/** What moderators read before they decide about a reported message (PEOPLE-36): reports name subjects by id only. */
@Injectable()
export class ModeratedMessages {
  constructor(
    private readonly messages: MessageRepository,
    private readonly users: KnownUsers,
  ) {}

  /** Throws `not-found` for an id of no message. */
  async show(id: string): Promise<MessageInContext> {
    const message = isId(id) ? await this.messages.find(id) : null;
    if (!message) throw messageNotFound();
    const { conversationId, seq, senderId, receiverId } = message;
    const [before, after, users] = await Promise.all([
      this.messages.listBefore(conversationId, seq, NEIGHBOURS),
      this.messages.listAfter(conversationId, seq, NEIGHBOURS),
      this.users.get([senderId, receiverId]),
    ]);
    const nameOf = (userId: string) => users.get(userId)?.username || userId;
    const view = (one: MessageDocument): ModeratedMessage => ({
      id: one._id,
      sender: nameOf(one.senderId),
      receiver: nameOf(one.receiverId),
      senderId: one.senderId,
      senderStatus: users.get(one.senderId)?.status ?? 'unknown',
      type: one.type,
      createdAt: one.createdAt.toISOString(),
      content: one.content,
    });
    return { message: view(message), before: before.reverse().map(view), after: after.map(view) };
  }
}
