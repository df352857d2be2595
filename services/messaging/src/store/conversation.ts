import type { UserRef } from '@pulso/contracts/common/v1/common';
import { type Conversation, MessageType } from '@pulso/contracts/messaging/v1/messaging';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { ConversationDocument } from './conversation.schema.js';

/** The id of the conversation of two users (MSG-1). Ids are ASCII, so JavaScript's order is the bytewise one. */
export function conversationIdOf(userId: string, otherId: string): string {
  return userId < otherId ? `${userId}_${otherId}` : `${otherId}_${userId}`;
}

/** The other participant; undefined if the id is malformed or the user takes no part. */
export function otherUserOf(conversationId: string, userId: string): string | undefined {
  const ids = conversationId.split('_');
  const other = ids.find((id) => id !== userId);
  if (ids.length !== 2 || other === undefined || !ids.every(isId)) return undefined;
  return conversationIdOf(userId, other) === conversationId ? other : undefined;
}

/** The conversation in its list, as one of the two sees it (MSG-7). */
export function viewConversation(
  { _id, lastMessage, lastActivity, startedAt }: ConversationDocument,
  viewerId: string,
  otherUser: UserRef,
  unreadCount: number,
): Conversation {
  if (!lastMessage) {
    // When the other one has started it is not the viewer's to know (MSG-3).
    const started = startedAt?.[viewerId] ?? lastActivity;
    return { id: _id, otherUser, lastMessage: undefined, lastActivity: started.getTime(), unreadCount };
  }
  const { senderId, receiverId, content, createdAt } = lastMessage;
  const type = lastMessage.isSystem ? MessageType.MESSAGE_TYPE_SYSTEM : MessageType.MESSAGE_TYPE_USER;
  return {
    id: _id,
    otherUser,
    lastMessage: { senderId, receiverId, content, type, createdAt: createdAt.getTime() },
    lastActivity: lastActivity.getTime(),
    unreadCount,
  };
}

export const conversationNotFound = () => notFound('Conversation not found');

export const cannotMessageSelf = () =>
  new DomainError('cannot-message-self', 'You cannot send messages to yourself.');
