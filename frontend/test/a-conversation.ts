import type { Conversation, Message, Notification } from '../src/api/types.js';

const ANA = { id: 'ana', name: 'Ana', username: 'ana', profileImage: '/api/avatars/a.svg', isCoach: true };

/** From Ana to Ben, unread. */
export const aMessage = (over: Partial<Message> = {}): Message => ({
  id: 'm1',
  conversationId: 'ana_ben',
  senderId: 'ana',
  receiverId: 'ben',
  content: 'See you on Tuesday.',
  type: 'user',
  event: null,
  createdAt: '2026-11-23T10:00:00.000Z',
  read: false,
  ...over,
});

/** Ben's with Ana. */
export const aConversation = (over: Partial<Conversation> = {}): Conversation => ({
  id: 'ana_ben',
  otherUser: ANA,
  lastMessage: null,
  lastActivity: '2026-11-23T10:00:00.000Z',
  unreadCount: 0,
  ...over,
});

export const aNotification = (over: Partial<Notification> = {}): Notification => ({
  id: 'n1',
  type: 'post_like',
  actor: ANA,
  postId: 'p1',
  commentId: null,
  read: false,
  createdAt: '2026-11-23T10:00:00.000Z',
  ...over,
});
