import {
  type Conversation as ConversationMessage,
  type ConversationPage as ConversationPageMessage,
  type Message as MessageMessage,
  type MessageEvent,
  MessageEventKind,
  type MessagePage as MessagePageMessage,
  MessageType,
} from '@pulso/contracts/messaging/v1/messaging';
import { apiTime } from '../http/bodies/api-time.js';
import { apiCursor } from '../http/bodies/list-query.js';
import { required, toUserRef } from '../user-ref/to-user-ref.js';
import type { Conversation, ConversationPage, Message, MessagePage } from './message.dto.js';

export function toMessage(message: MessageMessage): Message {
  return {
    id: message.id,
    conversationId: message.conversationId,
    senderId: message.senderId,
    receiverId: message.receiverId,
    content: message.content,
    type: toType(message.type),
    event: message.event ? toEvent(message.event) : null,
    createdAt: apiTime(message.createdAt),
    read: message.read,
  };
}

export function toMessagePage({ items, nextCursor }: MessagePageMessage): MessagePage {
  return { items: items.map(toMessage), nextCursor: apiCursor(nextCursor) };
}

export function toConversation(conversation: ConversationMessage): Conversation {
  const { id, otherUser, lastMessage, lastActivity, unreadCount } = conversation;
  return {
    id,
    otherUser: toUserRef(required(otherUser, 'other user')),
    lastMessage: lastMessage
      ? {
          senderId: lastMessage.senderId,
          receiverId: lastMessage.receiverId,
          content: lastMessage.content,
          type: toType(lastMessage.type),
          createdAt: apiTime(lastMessage.createdAt),
        }
      : null,
    lastActivity: apiTime(lastActivity),
    unreadCount,
  };
}

export function toConversationPage({ items, nextCursor }: ConversationPageMessage): ConversationPage {
  return { items: items.map(toConversation), nextCursor: apiCursor(nextCursor) };
}

function toType(type: MessageType): Message['type'] {
  return type === MessageType.MESSAGE_TYPE_SYSTEM ? 'system' : 'user';
}

/** Null for a kind of a newer build: clients then show the text. */
function toEvent({ kind, at }: MessageEvent): Message['event'] {
  const name = EVENT_KINDS[kind];
  return name ? { kind: name, at: apiTime(at) } : null;
}

const EVENT_KINDS: Readonly<Partial<Record<MessageEventKind, NonNullable<Message['event']>['kind']>>> = {
  [MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_STARTED]: 'subscription-started',
  [MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDS]: 'subscription-ends',
  [MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDED]: 'subscription-ended',
};
