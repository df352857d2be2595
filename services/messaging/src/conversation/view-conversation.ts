import type { UserRef } from '@pulso/contracts/common/v1/common';
import { type Conversation, MessageType } from '@pulso/contracts/messaging/v1/messaging';
import type { ConversationDocument } from '../store/conversation.schema.js';

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
