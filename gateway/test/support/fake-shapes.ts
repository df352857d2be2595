import type { UserRef } from '@pulso/contracts/common/v1/common';
import type { Account, User } from '@pulso/contracts/identity/v1/identity';
import { type Author, type Comment, type Post, Visibility } from '@pulso/contracts/posts/v1/posts';
import {
  type Conversation,
  type Message,
  MessageType,
  type Notification,
  NotificationType,
} from '@pulso/contracts/messaging/v1/messaging';
import type { Relation, Review } from '@pulso/contracts/social/v1/social';
import { DomainError } from '@pulso/platform/errors/domain-error';

/** Calls by method name. */
export type Fake<T> = { -readonly [M in keyof T]?: T[M] };

export const USER_ID = '0198f2a4-7c10-7b3e-9d61-3f2a8c5e1b07';
export const OTHER_ID = '0198f2a9-01f4-7d52-8a3c-6e0b9d4f2c18';
export const POST_ID = '0198f2b3-5a20-7c81-b4e9-1d7f3a6c8e29';
export const COMMENT_ID = '0198f2b7-9e48-7f06-a5d2-8b4c0e7f1a3d';
export const REVIEW_ID = '0198f2bc-4d16-7e83-b0c7-9a2f5e8d1c46';
export const SESSION_ID = '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e5f';
export const CONVERSATION_ID = `${USER_ID}_${OTHER_ID}`;
export const MESSAGE_ID = '0198f2c6-2b57-7d40-9a1e-5f8c3e7d0b92';
export const NOTIFICATION_ID = '0198f2c8-8d03-7a6b-b7f4-0e9d2c5a1f83';
export const TIME = Date.UTC(2026, 4, 4, 9, 30);

export function aUser(changes: Partial<User> = {}): User {
  return {
    id: USER_ID,
    name: 'Ana Torres',
    username: 'ana-torres',
    profileImageId: '',
    isCoach: true,
    bio: 'Strength for busy people.',
    specialties: ['Yoga'],
    subscriptionPriceMinor: 40_050,
    subscriptionCurrency: 'MXN',
    createdAt: TIME,
    ...changes,
  };
}

export function anAccount(changes: Partial<Account> = {}): Account {
  return {
    user: aUser(),
    email: 'ana@example.com',
    pendingEmail: '',
    emailVerified: false,
    hasPassword: true,
    language: 'es',
    emails: { subscriptions: true, security: false },
    ...changes,
  };
}

export function anAuthor(changes: Partial<Author> = {}): Author {
  const { id, name, username, profileImageId, isCoach, subscriptionPriceMinor, subscriptionCurrency } =
    aUser();
  return {
    id,
    name,
    username,
    profileImageId,
    isCoach,
    subscriptionPriceMinor,
    subscriptionCurrency,
    ...changes,
  };
}

export function aPost(changes: Partial<Post> = {}): Post {
  return {
    id: POST_ID,
    author: anAuthor(),
    content: 'First session done!',
    truncated: false,
    images: [],
    imageCount: 0,
    hasVideo: false,
    visibility: Visibility.VISIBILITY_PUBLIC,
    likeCount: 3,
    likedByViewer: true,
    commentCount: 1,
    createdAt: TIME,
    updatedAt: TIME,
    editedAt: undefined,
    locked: false,
    permissions: { edit: true, delete: true, like: true, comment: true },
    ...changes,
  };
}

export function aComment(changes: Partial<Comment> = {}): Comment {
  return {
    id: COMMENT_ID,
    postId: POST_ID,
    author: anAuthor(),
    content: 'Well done!',
    likeCount: 0,
    likedByViewer: false,
    createdAt: TIME,
    updatedAt: TIME,
    ...changes,
  };
}

/** The caller of most tests is USER_ID, so this is the other one. */
export function aUserRef(changes: Partial<UserRef> = {}): UserRef {
  return {
    id: OTHER_ID,
    name: 'Ben Ortiz',
    username: 'ben-ortiz',
    profileImageId: '',
    isCoach: false,
    ...changes,
  };
}

export function aReview(changes: Partial<Review> = {}): Review {
  return {
    id: REVIEW_ID,
    coachId: USER_ID,
    reviewer: aUserRef(),
    verifiedSubscriber: true,
    rating: 5,
    comment: 'Patient, clear, and it works.',
    createdAt: TIME,
    updatedAt: TIME,
    ...changes,
  };
}

export function aRelation(changes: Partial<Relation> = {}): Relation {
  return {
    userId: USER_ID,
    following: false,
    followsYou: false,
    blocked: false,
    blockedBy: false,
    followerCount: 48,
    followingCount: 7,
    rating: { averageRating: 4.7, totalReviews: 9 },
    reviewed: false,
    ...changes,
  };
}

export function aMessage(changes: Partial<Message> = {}): Message {
  return {
    id: MESSAGE_ID,
    conversationId: CONVERSATION_ID,
    senderId: OTHER_ID,
    receiverId: USER_ID,
    content: 'See you at six?',
    type: MessageType.MESSAGE_TYPE_USER,
    event: undefined,
    createdAt: TIME,
    read: false,
    ...changes,
  };
}

export function aConversation(changes: Partial<Conversation> = {}): Conversation {
  const { senderId, receiverId, content, type, createdAt } = aMessage();
  return {
    id: CONVERSATION_ID,
    otherUser: aUserRef(),
    lastMessage: { senderId, receiverId, content, type, createdAt },
    lastActivity: TIME,
    unreadCount: 1,
    ...changes,
  };
}

export function aNotification(changes: Partial<Notification> = {}): Notification {
  return {
    id: NOTIFICATION_ID,
    type: NotificationType.NOTIFICATION_TYPE_COMMENT,
    actor: aUserRef(),
    postId: POST_ID,
    commentId: COMMENT_ID,
    read: false,
    createdAt: TIME,
    ...changes,
  };
}

/** A list of one page and a next one; no cursor is any good. */
export const pageOf =
  <T extends object>(answer: () => T, nextCursor = 'k.next.mac') =>
  ({ cursor }: { cursor: string }) =>
    cursor === ''
      ? Promise.resolve({ ...answer(), nextCursor })
      : Promise.reject(new DomainError('invalid-cursor', 'This page link is not valid.'));

/** What a service holds of the caller: nothing, unless a suite says otherwise. */
export const nothingHeld = () => Promise.resolve({ rows: [], nextCursor: '' });
