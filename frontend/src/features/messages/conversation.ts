import type { Conversation, Message, UserRef } from '../../api/types.js';
import { conversationIdOf } from '../../shared/conversation-id.js';
import { beginningOf } from '../../text/beginning.js';

/** The state of a navigation by which the user has chosen the conversation just now: they want to write or read in it. */
export const CHOSEN = { chosen: true } as const;

/** The address of the conversation with a user (MSG-15). */
export const pathWith = (userId: string): string => `/messages?with=${encodeURIComponent(userId)}`;

/** The picture of somebody without a name. */
const NO_PICTURE = '/api/avatars/-.svg';

/** A conversation that only this page knows: the first message creates it (MSG-15). */
export const placeholderWith = (
  viewerId: string,
  userId: string,
  user: UserRef | undefined,
  unknown: string,
): Conversation => ({
  id: conversationIdOf(viewerId, userId),
  otherUser: {
    id: userId,
    name: user?.name ?? unknown,
    username: user?.username ?? null,
    profileImage: user?.profileImage ?? NO_PICTURE,
    isCoach: user?.isCoach ?? false,
  },
  lastMessage: null,
  lastActivity: new Date().toISOString(),
  unreadCount: 0,
});

/** How much of a text an entry of the list shows, in characters as they are seen; more than fits into its line. */
const PREVIEW_LENGTH = 200;

/** The beginning of a text: an entry of the list is one link, which screen readers read as a whole. */
export const previewOf = (text: string): string => beginningOf(text, PREVIEW_LENGTH);

/** Older first; two of the same time by their ids, which tell the order in which they were made. */
export const inOrder = (one: Message, other: Message): number =>
  Date.parse(one.createdAt) - Date.parse(other.createdAt) ||
  (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

/** Whether the viewer received the message and has not read it; system messages are never unread. */
export const isUnread = (message: Message, viewerId: string): boolean =>
  !message.read && message.type === 'user' && message.receiverId === viewerId;
