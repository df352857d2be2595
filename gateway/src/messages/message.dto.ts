import { VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { z } from 'zod';
import { givenId, givenText } from '../validation/fields.js';
import { answer, body } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import { count, id, time, userRefSchema } from '../user-ref/user-ref.dto.js';

export class NewMessageBody extends body(
  'NewMessage',
  z.strictObject({
    receiverId: givenId,
    content: givenText(TEXT_LIMITS.message, VALIDATION_MESSAGES.emptyMessage),
  }),
  { receiverId: EXAMPLE.memberId, content: 'See you at six?' },
) {}

export class NewConversationBody extends body('NewConversation', z.strictObject({ userId: givenId }), {
  userId: EXAMPLE.memberId,
}) {}

export class ReadConversationBody extends body(
  'ReadConversation',
  z
    .strictObject({
      upTo: givenId.optional().meta({ description: 'The id of a message; everything unless given' }),
    })
    .default({}),
  { upTo: EXAMPLE.messageId },
) {}

const messageType = z.enum(['user', 'system']).meta({ description: 'system: written by Pulso itself' });

const exampleEvent = { kind: 'subscription-started' as const, at: EXAMPLE.time };

const messageEventSchema = answer(
  'MessageEvent',
  z.object({
    kind: z.enum(['subscription-started', 'subscription-ends', 'subscription-ended']),
    at: time,
  }),
  exampleEvent,
);

const exampleMessage = {
  id: EXAMPLE.messageId,
  conversationId: EXAMPLE.conversationId,
  senderId: EXAMPLE.coachId,
  receiverId: EXAMPLE.memberId,
  content: 'See you at six?',
  type: 'user' as const,
  event: null,
  createdAt: EXAMPLE.time,
  read: false,
};

export const messageSchema = answer(
  'Message',
  z.object({
    id,
    conversationId: id,
    senderId: id,
    receiverId: id,
    content: z.string(),
    type: messageType,
    event: messageEventSchema
      .nullable()
      .meta({ description: 'What a system message tells, for clients that translate it' }),
    createdAt: time,
    read: z.boolean().meta({ description: 'By its receiver; always true for system messages' }),
  }),
  exampleMessage,
);

export const messagePageSchema = answer(
  'MessagePage',
  z.object({ items: z.array(messageSchema), nextCursor: z.string().nullable() }),
  { items: [exampleMessage], nextCursor: null },
);

const exampleLast = {
  senderId: EXAMPLE.coachId,
  receiverId: EXAMPLE.memberId,
  content: 'See you at six?',
  type: 'user' as const,
  createdAt: EXAMPLE.time,
};

const lastMessageSchema = answer(
  'LastMessage',
  z.object({ senderId: id, receiverId: id, content: z.string(), type: messageType, createdAt: time }),
  exampleLast,
);

const exampleConversation = {
  id: EXAMPLE.conversationId,
  otherUser: {
    id: EXAMPLE.memberId,
    name: 'Ben Ortiz',
    username: 'ben-ortiz',
    profileImage: '/api/avatars/B.svg',
    isCoach: false,
  },
  lastMessage: exampleLast,
  lastActivity: EXAMPLE.time,
  unreadCount: 0,
};

export const conversationSchema = answer(
  'Conversation',
  z.object({
    id,
    otherUser: userRefSchema,
    lastMessage: lastMessageSchema.nullable().meta({ description: 'null in one that was only started' }),
    lastActivity: time,
    unreadCount: count.meta({ description: 'Messages that the viewer has received and not read' }),
  }),
  exampleConversation,
);

export const conversationPageSchema = answer(
  'ConversationPage',
  z.object({ items: z.array(conversationSchema), nextCursor: z.string().nullable() }),
  { items: [exampleConversation], nextCursor: null },
);

export type Message = z.output<typeof messageSchema>;
export type MessagePage = z.output<typeof messagePageSchema>;
export type Conversation = z.output<typeof conversationSchema>;
export type ConversationPage = z.output<typeof conversationPageSchema>;
